-- Who looks at the page /people now, and what they say that they do. Of a process that crashed, rows are left for a minute.
create unlogged table presence (
  id uuid primary key,
  user_id integer not null references users on delete cascade,
  doing text not null,
  seen_at timestamptz not null default now()
);
