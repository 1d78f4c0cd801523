import type { Entry } from '../../../cli/terminal/command.ts'

export const customerCommand: Entry = {
  name: 'customer',
  summary: "export or erase a customer's data",
  async load() {
    const { customer, customerHelp } = await import('./customer.ts')
    return { help: customerHelp, run: customer }
  },
}
