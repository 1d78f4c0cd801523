-- A notification to the callback_url of a payment with a dialect is sent as its receiver expects; null is Florin's own way.
alter table deliveries add column dialect text collate "C";
