-- By which version of the program each kind of derived row was derived (schema/derivations.ts). Blocks without a row here were stored by a
-- program that knew no versions. While rows are derived again, those up to derived_to are of to_version and those above it of version.
create table derivations (
  thing text primary key,
  version {int} not null,
  to_version {int},
  derived_to {int}
);
