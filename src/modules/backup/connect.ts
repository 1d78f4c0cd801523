import pg from 'pg'

/** A connection whose COPY writes the same text whatever the settings of the database are, and that no time limit ends. */
export async function connectToCopy(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name, keepAlive: true })
  // A connection that breaks fails its statement, which is enough; without a listener it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  await client.query(`
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
    set extra_float_digits = 1; set client_encoding = 'UTF8';
    set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
  return client
}

/** Cuts it off. In the middle of a COPY an orderly end would wait for the rest of the table. */
export function cut(client: pg.Client): void {
  ;(client as pg.Client & { readonly connection: pg.Connection }).connection.stream.destroy()
}
