import type { Fault } from './play.ts'
import { killedWhen } from './server-faults.ts'
import { ask } from './stage.ts'

const killed = killedWhen('an attempt is committed')

/** The control for I20: a trigger turns `not_sent` into `declined`. */
export const controlOfDeclines: Fault = {
  ...killed,
  name: 'control: not sent written as declined',
  runs: { short: 2, long: 10 },
  mustBreak: ['I20'],
  begin: async ({ stage }) => {
    await ask(
      stage.databaseUrl,
      `create function write_a_decline() returns trigger language plpgsql as $$ begin
         new.state := 'declined'; return new; end $$`,
    )
    await ask(
      stage.databaseUrl,
      `create trigger write_a_decline before update on attempts for each row
       when (new.state = 'not_sent') execute function write_a_decline()`,
    )
  },
}
