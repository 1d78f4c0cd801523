// What the plugin uses of Medusa's framework, which is a peer dependency of the package and not installed here. `npm run shops` runs the real one.
declare module '@medusajs/framework/utils' {
  export abstract class AbstractPaymentProvider<Config = Record<string, unknown>> {
    static identifier: string
    static validateOptions(options: Record<string, unknown>): void
    protected constructor(container: Record<string, unknown>, config?: Config)
  }
  export const Modules: { readonly PAYMENT: 'payment' }
  export function ModuleProvider(module: string, given: { readonly services: readonly unknown[] }): unknown
}
