create table users (
  id integer primary key generated always as identity,
  name text not null unique,
  password text not null
);

create table sessions (
  -- SHA-256 of the token: who reads this table cannot use it to sign in.
  token_hash text primary key,
  user_id integer not null references users on delete cascade,
  expires_at timestamptz not null
);

create index on sessions (user_id);
