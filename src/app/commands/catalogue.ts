import { backupCommand, restoreCommand } from '../../modules/backup/commands/entries.ts'
import { distributeCommand } from '../../modules/cluster/commands/entries.ts'
import { customerCommand } from '../../modules/customers/commands/entries.ts'
import { demoCommand } from '../../modules/demo/commands/entries.ts'
import { totalsCommand } from '../../modules/figures/commands/entries.ts'
import { payoutsCommand, reconcileCommand } from '../../modules/payouts/commands/entries.ts'
import { refundCommand } from '../../modules/refunds/commands/entries.ts'
import { readHelps, type Catalogue } from '../../cli/terminal/command.ts'

// Every command, in the order of the help. Each is loaded when it is asked for: `florin key create` need not wait for
// the server's packages.

export const catalogue: Catalogue = [
  {
    title: 'Run it',
    commands: [
      {
        name: 'serve',
        summary: 'run the server and the worker (default)',
        async load() {
          const { serve, serveHelp } = await import('./serve.ts')
          return { help: serveHelp, run: serve }
        },
      },
      {
        name: 'worker',
        summary: 'run only the background worker',
        async load() {
          const { work, workerHelp } = await import('./serve.ts')
          return { help: workerHelp, run: work }
        },
      },
      {
        name: 'migrate',
        summary: 'run database migrations',
        async load() {
          const { migrateHelp, runMigrations } = await import('../../cli/migrate.ts')
          return { help: migrateHelp, run: runMigrations }
        },
      },
      backupCommand,
      restoreCommand,
      distributeCommand,
      {
        name: 'secrets',
        summary: 'create, check and rotate the encryption key',
        async load() {
          const { secrets, secretsHelp } = await import('../../cli/secrets.ts')
          return { help: secretsHelp, run: secrets }
        },
      },
      {
        name: 'status',
        summary: 'show running processes and problems',
        async load() {
          const { status, statusHelp } = await import('../../cli/status/status.ts')
          return { help: statusHelp, run: status }
        },
      },
    ],
  },
  {
    title: 'Merchants',
    commands: [
      {
        name: 'merchant',
        summary: 'create, list and change merchants, go live',
        async load() {
          const { merchantWith } = await import('../../cli/merchant/merchant.ts')
          const { move, moveHelp } = await import('../../modules/cluster/commands/move.ts')
          return merchantWith({ help: moveHelp, run: move })
        },
      },
      {
        name: 'sign-in-link',
        summary: 'create a sign-in link for the dashboard',
        async load() {
          const { signInLink, signInLinkHelp } =
            await import('../../dashboard/people/commands/sign-in-link.ts')
          return { help: signInLinkHelp, run: signInLink }
        },
      },
      {
        name: 'key',
        summary: 'create, list, roll and revoke keys',
        async load() {
          const { key, keyHelp } = await import('../../cli/key.ts')
          return { help: keyHelp, run: key }
        },
      },
      {
        name: 'form',
        summary: 'print a form for a web page, signed or not',
        async load() {
          const { form, formHelp } = await import('../../cli/form.ts')
          return { help: formHelp, run: form }
        },
      },
      {
        name: 'connector',
        summary: 'accounts at networks: add, list, test, change, remove',
        async load() {
          const { connector, connectorHelp } = await import('../../cli/connector/connector.ts')
          return { help: connectorHelp, run: connector }
        },
      },
      {
        name: 'endpoint',
        summary: 'add, test and change webhook endpoints',
        async load() {
          const { endpoint, endpointHelp } = await import('../../cli/endpoint/endpoint.ts')
          return { help: endpointHelp, run: endpoint }
        },
      },
      {
        name: 'webhook-secret',
        summary: 'show or roll the secret that signs notifications',
        async load() {
          const { webhookSecret, webhookSecretHelp } = await import('../../cli/webhook-secret.ts')
          return { help: webhookSecretHelp, run: webhookSecret }
        },
      },
    ],
  },
  {
    title: 'Records',
    commands: [
      {
        name: 'payments',
        summary: 'create, show, list and cancel payments',
        async load() {
          const { payments, paymentsHelp } = await import('../../cli/payments.ts')
          return { help: paymentsHelp, run: payments }
        },
      },
      refundCommand,
      payoutsCommand,
      reconcileCommand,
      {
        name: 'held',
        summary: 'list and return charges that need a person',
        async load() {
          const { held, heldHelp } = await import('../../cli/held.ts')
          return { help: heldHelp, run: held }
        },
      },
      {
        name: 'notifications',
        summary: 'list, show and resend notifications, resume receivers',
        async load() {
          const { notifications, notificationsHelp } =
            await import('../../cli/notifications/notifications.ts')
          return { help: notificationsHelp, run: notifications }
        },
      },
      totalsCommand,
      customerCommand,
      {
        name: 'audit',
        summary: 'show the audit log',
        async load() {
          const { audit, auditHelp } = await import('../../cli/audit.ts')
          return { help: auditHelp, run: audit }
        },
      },
      {
        name: 'mailbox',
        summary: 'read unsent mail, such as test mail',
        async load() {
          const { mailbox, mailboxHelp } = await import('../../cli/mailbox.ts')
          const { allModules, mailWritersOf } = await import('../modules.ts')
          const mailWriters = mailWritersOf(allModules)
          return { help: mailboxHelp, run: async (config, args) => mailbox(config, args, mailWriters) }
        },
      },
    ],
  },
  {
    title: 'Develop',
    commands: [
      {
        name: 'listen',
        summary: 'follow test notifications and forward them',
        async load() {
          const { listenHelp, listenToNotifications } = await import('../../cli/listen.ts')
          return { help: listenHelp, run: listenToNotifications }
        },
      },
      {
        name: 'trigger',
        summary: 'make a test payment with a chosen result',
        async load() {
          const { trigger, triggerHelp } = await import('../../cli/trigger/trigger.ts')
          return { help: triggerHelp, run: trigger }
        },
      },
      {
        name: 'doctor',
        summary: "check a shop's plugin with a test payment",
        async load() {
          const { doctor, doctorHelp } = await import('../../cli/doctor/doctor.ts')
          return { help: doctorHelp, run: doctor }
        },
      },
      demoCommand,
      {
        name: 'completion',
        summary: 'print a bash or zsh completion script',
        async load() {
          const { completion, completionHelp } = await import('./completion.ts')
          return {
            help: completionHelp,
            run: async (_, args) => completion(args, await readHelps(catalogue)),
          }
        },
      },
    ],
  },
]
