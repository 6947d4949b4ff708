-- How far the move of an embedded database to this one has got. At most one row, written together with the moved rows:
-- the service does not start while the move is unfinished. docs/decisions/0038-moving-to-a-server.md.

create table database_moves (
  is_only_row  boolean primary key default true check (is_only_row),
  move_id      text not null check (move_id ~ '^[0-9a-z]{26}$'),
  state        text not null check (state in ('arrived', 'finished')),
  arrived_at   timestamptz not null default now()
);

grant select on database_moves to paylink_system;
