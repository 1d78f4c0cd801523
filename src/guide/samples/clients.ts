import type { Operation } from '../../platform/http/openapi/openapi.ts'
import type { Snippet } from '../snippets/read-snippets.ts'
import { writtenJs } from './node.ts'
import { writtenPhp } from './php.ts'
import { Given, sampleOf, type Sample } from './sample.ts'

// A call with our own clients, clients/node and clients/php. Both have the same methods, named here once.

/** Tests compare this with /openapi.json and with both clients. */
export const clientMethods: Readonly<Record<string, string>> = {
  createPayment: 'payments.create',
  findTransaction: 'payments.get',
  listTransactions: 'payments.list',
  exportTransactions: 'payments.exportCsv',
  findAccount: 'account.get',
  cancelTransaction: 'payments.cancel',
  listFormRefusals: 'payments.formRefusals',
  refundTransaction: 'payments.refund',
  listRefundsOfTransaction: 'payments.refunds',
  findRefund: 'refunds.get',
  exportRefunds: 'refunds.exportCsv',
  listRefunds: 'refunds.list',
  chargeSavedMethod: 'savedMethods.charge',
  listSavedMethods: 'savedMethods.list',
  findSavedMethod: 'savedMethods.get',
  endSavedMethod: 'savedMethods.end',
  listDisputes: 'disputes.list',
  findDispute: 'disputes.get',
  listPayouts: 'payouts.list',
  payOutNow: 'payouts.payOutNow',
  findPayout: 'payouts.get',
  listPayoutLines: 'payouts.lines',
  findBalance: 'balance.get',
  listNotifications: 'payments.notifications',
  resendNotification: 'payments.resendNotification',
  sendTestNotification: 'notifications.sendTest',
  resumeReceiver: 'notifications.resume',
  createEndpoint: 'endpoints.create',
  listEndpoints: 'endpoints.list',
  changeEndpoint: 'endpoints.change',
  deleteEndpoint: 'endpoints.delete',
  findEndpoint: 'endpoints.get',
  pauseEndpoint: 'endpoints.pause',
  resumeEndpoint: 'endpoints.resume',
  rollEndpointSecret: 'endpoints.rollSecret',
  testEndpoint: 'endpoints.test',
  listProjects: 'projects.list',
  createProject: 'projects.create',
  findProject: 'projects.get',
  renameProject: 'projects.rename',
  deleteProject: 'projects.delete',
}

/** Nothing for the calls that only `florin listen` makes. */
export function inClients(operation: Operation, baseUrl: string): readonly Snippet[] {
  const method = clientMethods[operation.id]
  if (method === undefined) return []
  const call: ClientCall = {
    ...sampleOf(operation, baseUrl),
    call: method,
    server: operation.server ?? baseUrl,
    isList: operation.method === 'get' && operation.answers.some(({ data }) => data?.['type'] === 'array'),
  }
  return [
    { language: 'JS client', code: inJs(call) },
    { language: 'PHP client', code: inPhp(call) },
  ]
}

type ClientCall = Sample & { readonly call: string; readonly server: string; readonly isList: boolean }

function inJs({ call, server, key, address, body, isList }: ClientCall): string {
  const given = address.filter((part) => part instanceof Given).map((part) => writtenJs(part, ''))
  const made = `florin.${call}(${[...given, ...(body === undefined ? [] : [writtenJs(body, '')])].join(', ')})`
  return `import { Florin } from 'florin-client'

const florin = new Florin(process.env.${key}, { baseUrl: ${writtenJs(server, '')} })
${isList ? `for await (const one of ${made}) console.log(one)` : `console.log(await ${made})`}`
}

function inPhp({ call, server, key, address, body, isList }: ClientCall): string {
  const given = address.filter((part) => part instanceof Given).map((part) => writtenPhp(part, ''))
  const made = `$florin->${call.replace('.', '->')}(${[...given, ...(body === undefined ? [] : [writtenPhp(body, '')])].join(', ')})`
  return `<?php
require 'vendor/autoload.php';

$psr17 = new GuzzleHttp\\Psr7\\HttpFactory();
$florin = new Florin\\Florin(getenv('${key}'), ${writtenPhp(server, '')}, new GuzzleHttp\\Client(), $psr17, $psr17);
${isList ? `foreach (${made} as $one) {\n    print_r($one);\n}` : `print_r(${made});`}`
}
