import { benchCreate } from './create.ts'
import { benchLookUp } from './look-up.ts'
import { benchPage } from './page.ts'
import { printReports, type Report } from './report.ts'
import { openSite } from './site.ts'
import { benchWholePayment } from './whole-payment.ts'

// npm run bench [-- --quick] [name …]

const args = process.argv.slice(2)
const quick = args.includes('--quick')
const names = args.filter((arg) => !arg.startsWith('-'))
const rounds = quick ? 3 : 5
const seconds = quick ? 3 : 10
const wanted = (name: string): boolean => names.length === 0 || names.includes(name)

const reports: Report[] = []
const site = await openSite()
try {
  if (wanted('create')) reports.push(...(await benchCreate(site, rounds, seconds)))
  if (wanted('page')) reports.push(...(await benchPage(site, rounds, seconds)))
  if (wanted('whole')) reports.push(...(await benchWholePayment(site, rounds, seconds)))
  if (wanted('look-up'))
    reports.push(...(await benchLookUp(site, rounds, seconds, quick ? 100_000 : 1_000_000)))
} finally {
  await site.close()
}
printReports(reports)
