-- Who writes the chain into a PostgreSQL database. The fencing number grows with every new writer, and each of a writer's transactions
-- checks it, so a writer that was taken for dead cannot commit. SQLite locks a file instead.
{postgres:create table writer_lease (
  name text primary key,
  holder text not null,
  fence bigint not null,
  backend bigint not null,
  renewals bigint not null
)};
{postgres:insert into writer_lease (name, holder, fence, backend, renewals) values ('chain', '', 0, 0, 0)};
