-- What a payment is for, line by line, as json text: names, quantities, prices in minor units, tax rates. Null without.
alter table payments
  add column items json,
  -- The merchant's own, for receipts.
  add column invoice_number text;
