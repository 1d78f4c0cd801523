-- Mail that stays here is a delivery that is kept. Its facts are in the delivery already, and the letter is written when
-- somebody reads it: a second copy of every mail, as HTML, was the largest thing that a test payment wrote.
update deliveries set state = 'kept', next_try_at = null
from mailbox
where deliveries.merchant_id = mailbox.merchant_id and deliveries.id = mailbox.id;

drop table mailbox;

create index deliveries_kept_mail on deliveries (merchant_id, mode, created_at desc, id desc)
  where kind = 'mail' and state = 'kept';

-- The limit of mails to one address is one of live mode.
drop index deliveries_to_address;
create index deliveries_to_address on deliveries (merchant_id, target, created_at)
  where kind = 'mail' and mode = 'live';
