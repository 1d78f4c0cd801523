import { failures } from '../../../platform/http/openapi/described.ts'
import { dialects } from '../../merchants/key-format.ts'
import type { Operation } from '../../../platform/http/openapi/openapi.ts'

export const accountOperation: Operation = {
  id: 'findAccount',
  method: 'get',
  path: '/api/account',
  group: 'Payments',
  summary: 'Check a key',
  description:
    'Returns the key\'s account and what the key can do: for the "Test connection" button of a plugin. Takes secret keys and API keys.',
  key: 'secret',
  answers: [
    {
      status: 200,
      description: 'The account.',
      data: {
        title: 'Account',
        type: 'object',
        additionalProperties: false,
        required: ['merchant', 'mode', 'key', 'currencies', 'live_enabled'],
        properties: {
          merchant: {
            title: 'AccountMerchant',
            type: 'object',
            additionalProperties: false,
            required: ['id', 'name'],
            properties: { id: { type: 'integer' }, name: { type: 'string' } },
          },
          mode: {
            type: ['string', 'null'],
            description: 'test or live; null for an API key, which has none.',
          },
          key: {
            title: 'AccountKey',
            type: 'object',
            additionalProperties: false,
            required: ['kind', 'name', 'dialect'],
            properties: {
              kind: { type: 'string', description: 'secret or api.' },
              name: { type: 'string', description: 'As you named it.' },
              dialect: {
                type: 'string',
                enum: dialects,
                description:
                  'florin, or family for a plugin that was written for PayChangu, Chapa or a script of that family.',
              },
            },
          },
          currencies: {
            type: ['array', 'null'],
            items: { type: 'string' },
            description: 'The currencies this key can take payments in; null for an API key.',
          },
          live_enabled: { type: 'boolean', description: 'Whether live payments are switched on.' },
        },
      },
      example: {
        status: 'success',
        message: 'Account',
        data: {
          merchant: { id: 59_391_412, name: 'Corner shop' },
          mode: 'live',
          key: { kind: 'secret', name: 'WooCommerce', dialect: 'florin' },
          currencies: ['EUR', 'GBP'],
          live_enabled: true,
        },
      },
    },
    failures.rule,
  ],
}
