create table notes (
  id integer primary key generated always as identity,
  owner integer not null references users on delete cascade,
  title text not null,
  text text not null,
  tags text[] not null,
  version integer not null default 1,
  -- Milliseconds, as a Date has them: a cursor holds this value.
  updated_at timestamptz(3) not null default now()
);

create index on notes (owner, updated_at, id);
create index on notes using gin (tags);

create view tags as
  select owner, tag as name, count(*)::integer as notes
  from notes, unnest(tags) as tag
  group by owner, tag;
