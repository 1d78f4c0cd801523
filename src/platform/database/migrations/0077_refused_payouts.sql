-- When a person of the shop dealt with a payout that failed or came back.
alter table payouts add column dealt_with_at timestamptz;
