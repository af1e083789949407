-- Blocks with a transaction of a type that is not known: whom it pays and who pays for it need not be in its calls.
create table unseen_moves (
  height {int} primary key,
  transaction_type {int} not null
);
