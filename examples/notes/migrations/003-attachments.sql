create table attachments (
  -- Also the name of the file on disk.
  id uuid primary key,
  note integer not null references notes on delete cascade,
  name text not null,
  type text not null,
  size integer not null
);

create index on attachments (note);
