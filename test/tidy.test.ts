import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as rules from './support/house-rules.ts'
import { file, proveRules, tree, type Samples } from './support/prove-rules.ts'

const samples: Samples<keyof typeof rules> = {
  importsGoDown: {
    keep: [
      file('src/core/payments/create-payment.ts', `import { sql } from '../../platform/database/sql.ts'`),
      file(
        'src/core/payments/cancel.ts',
        `import type { Mode } from '../merchants/mode.ts'\nimport './create-payment.ts'`,
      ),
      file(
        'src/app/app.ts',
        `import type { Config } from '../platform/settings/config.ts'\nimport { a } from '../core/checkout/a.ts'`,
      ),
      file('src/cli/key.ts', `import type { Config } from '../platform/settings/config.ts'`),
      file(
        'src/platform/money/money.ts',
        `// import { x } from '../../core/payments/store.ts'\nconst help = "from '../../core/payments/x.ts'"`,
      ),
      file('src/platform/money/money.test.ts', `import { openHouse } from '../../../test/support/house.ts'`),
    ],
    broken: [
      file('src/core/merchants/a.ts', `import { pay } from '../payments/pay.ts'`),
      file('src/core/merchants/b.ts', `import type { Pay } from '../payments/pay.ts'`),
      file('src/core/merchants/c.ts', `import { list } from '../projects/list.ts'`),
      file('src/platform/http/d.ts', `export { Database } from '../database/database.ts'`),
      file('src/core/payments/e.ts', `const page = await import('../checkout/page.ts')`),
      file('src/core/notifications/f.ts', `import '../payments/pay.ts'`),
      file('src/platform/http/g.ts', `import {\n  readConfig,\n} from '../settings/config.ts'`),
      file('src/core/notifications/h.ts', `import type { Wiring } from '../../app/wiring.ts'`),
      file('src/platform/database/i.ts', `import { house } from '../../../test/support/house.ts'`),
      file('src/attic/j.ts', ''),
    ],
  },
  privateFilesStayPrivate: {
    keep: [
      file(
        'src/core/payments/pay.ts',
        `import { insert } from './store.ts'\nimport { claim } from './attempt-store.ts'`,
      ),
      file('src/core/payments/network/pay.ts', `import { insert } from '../store.ts'`),
      file('src/app/app.ts', `import { addPayments } from '../core/payments/routes.ts'`),
      file('src/core/checkout/show.ts', `import { draw } from './pages/receipt.ts'`),
    ],
    broken: [
      file('src/core/checkout/a.ts', `import { insert } from '../payments/store.ts'`),
      file('src/core/checkout/b.ts', `import type { Row } from '../payments/attempt-store.ts'`),
      file('src/cli/c.ts', `import { addPayments } from '../core/payments/routes.ts'`),
      file('src/dashboard/d.ts', `import { draw } from '../core/checkout/pages/receipt.ts'`),
      file('src/app/app.ts', `import { insert } from '../core/payments/store.ts'`),
      file('src/networks/e/e.ts', `import { insert } from '../network/store.ts'`),
    ],
  },
  noCircles: {
    keep: [
      file('src/platform/money/a.ts', `import { b } from './b.ts'\nimport { c } from './c.ts'`),
      file('src/platform/money/b.ts', `import { c } from './c.ts'`),
      file('src/platform/money/c.ts', `// import { a } from './a.ts'`),
    ],
    broken: [
      file('src/platform/money/a.ts', `import { b } from './b.ts'`),
      file('src/platform/money/b.ts', `import type { C } from './c.ts'`),
      file('src/platform/money/c.ts', `import { a } from './a.ts'`),
      file('src/platform/http/d.ts', `import { d } from './d.ts'`),
    ],
  },
  foldersAreSmall: {
    keep: [
      ...Array.from({ length: 20 }, (_, index) => file(`src/platform/money/${index}.ts`, '')),
      file('src/platform/money/0.test.ts', ''),
      ...Array.from({ length: 30 }, (_, index) => file(`src/platform/database/migrations/${index}.sql`, '')),
    ],
    broken: Array.from({ length: 21 }, (_, index) => file(`src/platform/money/${index}.ts`, '')),
  },
  onlyConfigReadsTheEnvironment: {
    keep: [
      file('src/platform/settings/config.ts', `export const port = process.env['PORT']`),
      file('src/platform/http/a.ts', `// process.env is read elsewhere\nconst words = 'process.env'`),
    ],
    broken: [
      file('src/platform/http/a.ts', `const port = process.env['PORT']`),
      file('src/platform/http/b.ts', `const { PORT } = process\n  .env`),
      file('src/platform/http/c.ts', `const port = process['env']`),
      file('src/platform/http/d.ts', `import { env } from 'node:process'`),
    ],
  },
  filesAreShort: {
    keep: [
      file('src/platform/money/a.ts', 'const a = 1\n'.repeat(300)),
      file('src/platform/http/long.css', '\n'.repeat(900)),
    ],
    broken: [
      file('src/platform/money/a.ts', 'const a = 1\n'.repeat(301)),
      file('test/b.js', 'b()\n'.repeat(301)),
    ],
  },
  functionsAreShort: {
    keep: [
      file('src/a.ts', `export function a(): void {\n${'  b()\n'.repeat(68)}}\n`),
      file('src/b.ts', `if (\n  a &&\n  b\n) {\n${'  b()\n'.repeat(90)}}\n`),
      file('src/c.ts', `export const words = {\n${"  a: 'b',\n".repeat(90)}}\n`),
      file('src/d.ts', `f(() => {\n  g()\n})\n${'h()\n'.repeat(90)}k(() => {\n  g()\n})\n`),
    ],
    broken: [
      file('src/a.ts', `export function a(): void {\n${'  b()\n'.repeat(69)}}\n`),
      file(
        'src/b.ts',
        `export async function b(\n  c: string,\n): Promise<void> {\n${'  b()\n'.repeat(67)}}\n`,
      ),
      file('src/c.ts', `const c = () => {\n${'  b()\n'.repeat(69)}}\n`),
      file('src/d.ts', `class D {\n  constructor(\n    e: string,\n  ) {\n${'    b()\n'.repeat(70)}  }\n}\n`),
      file('src/e.ts', `function e(): { a: 1 } {\n  x = \`\n}\n\${b}\`\n${'  b()\n'.repeat(68)}}\n`),
      file('src/f.ts', `const f = {\n  async g() {\n${'    b()\n'.repeat(69)}  },\n}\n`),
    ],
  },
  noBarrels: {
    keep: [
      file('src/platform/http/log.ts', `export type { Logger } from 'pino'\nexport const level = 'info'`),
      file('test/a.test.ts', `import * as rules from './rules.ts'\ntest(rules)`),
    ],
    broken: [
      file('src/a/all.ts', `export * from './b.ts'\nconst a = 1`),
      file('src/a/types-all.ts', `export type * from './b.ts'\nconst a = 1`),
      file('src/a/list.ts', `// What others may see.\nexport { a, type B } from './store.ts'\n`),
      file('src/a/lines.ts', `export {\n  a,\n  b,\n} from './store.ts'\nexport { c } from './c.ts'\n`),
    ],
  },
  namesSayWhatIsInside: {
    keep: [
      file('src/platform/http/html.ts', ''),
      file('src/core/merchants/key-types.ts', ''),
      file('src/platform/money/common-stock.ts', ''),
    ],
    broken: [
      file('src/utils/text.ts', ''),
      file('src/platform/http/utils.ts', ''),
      file('src/common/a.ts', ''),
      file('src/core/payments/types.ts', ''),
      file('src/core/payments/service.ts', ''),
      file('src/core/payments/index.ts', ''),
      file('test/helpers/a.ts', ''),
    ],
  },
  noForbiddenWords: {
    keep: [file('src/a.ts', `// enum Mode {}\nconst words = 'export default'\nexport const enumerate = 1`)],
    broken: [
      file('src/a.ts', 'export default class A {}'),
      file('src/b.ts', 'const enum Mode { Test }'),
      file('src/c.ts', 'export enum Mode { Test }'),
      file('src/d.ts', 'declare namespace Florin {}'),
      file('src/e.ts', 'export { a as default }'),
    ],
  },
  testsStandBesideTheirFile: {
    keep: [
      file('src/platform/money/money.ts', ''),
      file('src/platform/money/money.test.ts', `import { test } from 'node:test'`),
      file('src/platform/money/money.properties.test.ts', `import { test } from 'node:test'`),
      file('test/flows/pay.test.ts', `import { test } from 'node:test'`),
      file('test/support/house.ts', `import type { TestContext } from 'node:test'`),
    ],
    broken: [
      file('src/platform/money/lonely.test.ts', `import { test } from 'node:test'`),
      file('src/platform/money/money.spec.ts', `import { test } from 'node:test'`),
      file('test/flows/pay.ts', `import { test } from 'node:test'`),
    ],
  },
  everyTestRuns: {
    keep: [file('test/a.test.ts', `test('a payment is only paid once', () => {}) // test.skip`)],
    broken: [
      file('test/a.test.ts', `test.only('a', () => {})`),
      file('test/b.test.ts', `test.skip('a', () => {})`),
      file('test/c.test.ts', `test.todo('a')`),
      file('test/d.test.ts', `test('a', { skip: true }, () => {})`),
      file('test/e.test.ts', `test('a', (t) => t.skip())`),
    ],
  },
  noPathOfOneMachine: {
    keep: [file('docs/run.md', 'Set DATA_DIR=/var/lib/florin, open https://example.com/home/page and /tmp.')],
    broken: [
      file('docs/a.md', ['Look into ', 'home', 'ada', 'florin'].join('/')),
      file('src/b.ts', `const folder = '${['', 'Users', 'ada', 'florin'].join('/')}'`),
      file('docs/c.md', `(${['C:', 'florin', 'data'].join('\\')})`),
      file('docs/d.md', ['', 'work', 'florin'].join('/')),
    ],
  },
}

proveRules(rules, samples)

test('the rules read the whole repository', () => {
  const paths = new Set(tree.map(({ path }) => path))
  for (const path of [
    'src/app/app.ts',
    'src/platform/database/migrations/0001_merchants.sql',
    'test/tidy.test.ts',
    'bin/florin',
  ]) {
    assert.ok(paths.has(path), `${path} was not read`)
  }
})
