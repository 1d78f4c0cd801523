/** An e-mail to one person with an account, as src/dashboard/people writes it and src/core/notifications sends it. */
export type PersonEmail = {
  readonly to: string
  readonly event: string
  readonly subject: string
  readonly heading: string
  readonly isGood: boolean
  /** The person's name; empty if unknown. */
  readonly name: string
  readonly paragraphs: readonly string[]
  readonly rows: readonly (readonly [string, string])[]
  readonly link?: { readonly label: string; readonly url: string }
}
