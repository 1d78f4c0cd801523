-- Payment links that people make by hand. A link that may be used more than once has a page of its own, where customers
-- say who they are and, if it is open, how much they pay; each gets a payment of type Link.
create table links (
  merchant_id integer not null references merchants (id),
  id text collate "C" not null,
  mode text collate "C" not null check (mode in ('test', 'live')),
  kind text collate "C" not null check (kind in ('single', 'reusable')),
  -- False: the customer is known, and the payment was made with the link.
  asks_customer boolean not null,
  title text not null,
  description text,
  currency text collate "C" not null,
  -- Null: the customer says how much, between these two.
  amount_minor bigint check (amount_minor > 0),
  least_minor bigint check (least_minor > 0),
  most_minor bigint check (most_minor > 0),
  -- How many payments there may be. Null: as many as come.
  stock integer check (stock > 0),
  -- Payments that are open or paid.
  taken integer not null default 0,
  paid integer not null default 0,
  paid_minor bigint not null default 0,
  ends_at timestamptz,
  paused_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  -- Whatever the program does, there are never more than the stock.
  constraint links_never_oversold check (taken >= 0 and (stock is null or taken <= stock)),
  constraint links_paid_were_taken check (paid between 0 and taken),
  constraint links_amount_fixed_or_open check (amount_minor is null or (least_minor is null and most_minor is null)),
  constraint links_least_below_most check (least_minor <= most_minor)
);
create index links_newest on links (merchant_id, mode, created_at, id);

-- The payments of a link, each written before its payment is made. `over`: it ended unpaid, and its place is free again.
create table link_payments (
  merchant_id integer not null references merchants (id),
  link_id text collate "C" not null,
  tx_ref text collate "C" not null,
  state text collate "C" not null default 'open' check (state in ('open', 'paid', 'over')),
  created_at timestamptz not null,
  -- When it is looked whether the payment has ended.
  look_at timestamptz not null,
  primary key (merchant_id, link_id, tx_ref),
  constraint link_payments_of_links foreign key (merchant_id, link_id) references links (merchant_id, id)
);
create index link_payments_newest on link_payments (merchant_id, link_id, created_at, tx_ref);
create index link_payments_open on link_payments (merchant_id, link_id, created_at) where state = 'open';
create index link_payments_to_look on link_payments (look_at) where state = 'open';
