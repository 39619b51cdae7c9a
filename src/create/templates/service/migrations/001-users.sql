create table users (
  id integer generated always as identity primary key,
  email text not null,
  password text not null,
  created_at timestamptz not null default now()
);

create unique index users_email on users (lower(email));

create table tokens (
  hash text primary key,
  user_id integer not null references users on delete cascade,
  expires_at timestamptz not null default now() + interval '30 days'
);

create index tokens_user on tokens (user_id);
