import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { openHouse, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'
import { waitUntil } from '../support/wait-until.ts'

let house: House
let worker: { stop(): Promise<void> }
before(async () => {
  house = await openHouse()
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
})

test('a delivery’s result is retried until the database takes it, and the delivery isn’t repeated', async () => {
  const receiver = await openReceiver()
  // More refusals than a server that stops would wait for. A sequence counts what is rolled back too.
  await house.db.query(sql`create sequence refusals`)
  await house.db.query(sql`
    create function refuse_for_a_while() returns trigger language plpgsql as $$
    begin
      if nextval('refusals') <= 22 then
        raise exception 'in trouble' using errcode = '40001';
      end if;
      return new;
    end $$`)
  await house.db.query(sql`
    create trigger refuse_for_a_while before update on deliveries for each row
    when (old.kind = 'ipn' and new.state = 'delivered') execute function refuse_for_a_while()`)

  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'paid')
  await waitUntil('the delivery is known to be made', async () => {
    const rows = await house.db.query<{ state: string; tries: number }>(sql`
      select state, tries from deliveries
      where merchant_id = ${payment.merchantId} and number = ${payment.number} and kind = 'ipn'`)
    return rows.every(({ state, tries }) => state === 'delivered' && tries === 1)
  })
  assert.equal(receiver.received.length, 1)
  assert.doesNotMatch(house.log(), /Could not record a delivery/)
})
