create table tasks (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  title text not null,
  done boolean not null default false,
  created_at timestamptz not null default now()
);

create index tasks_user on tasks (user_id, id);
