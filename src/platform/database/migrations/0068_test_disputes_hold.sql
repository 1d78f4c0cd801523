-- Reads every row without a lock that keeps others out.
alter table test_network.charges validate constraint charges_disputed_known;
alter table test_network.charges validate constraint charges_reply_known;
