import { randomBytes } from 'node:crypto'
import { administer, adminUrl, type TestDatabase } from './database.ts'

/** A database with nothing in it, for what happens before and during migrations. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `test_empty_${process.pid}_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name}`)
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}
