-- Who submitted a job (a key or an address; empty for this program itself and for jobs of before), and the compile time that it cost.
alter table verification_jobs add column sender text not null default '';
alter table verification_jobs add column compile_ms {int} not null default 0;
create index verification_jobs_sender on verification_jobs (sender, ended_ms);
