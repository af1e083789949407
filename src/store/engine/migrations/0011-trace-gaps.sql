-- Calls that are not known, of a block (transaction_index -1) or of one of its transactions: the node had no trace, or none that could
-- be read. may_move: native currency may have moved in them.
create table trace_gaps (
  height {int} not null,
  transaction_index {int} not null,
  reason text not null,
  may_move {int} not null,
  primary key (height, transaction_index)
) {clustered};
create index trace_gaps_moving on trace_gaps (height) where may_move = 1;
insert into trace_gaps (height, transaction_index, reason, may_move)
select height, -1, 'the node had no traces when the block was indexed', 1 from blocks where internal_count is null;
