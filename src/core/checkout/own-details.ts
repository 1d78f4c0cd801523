import type { Words } from './words/en.ts'

// Form fields that the customer knows better than the shop.

export const ownFields = ['email', 'first_name', 'last_name'] as const
export type OwnField = (typeof ownFields)[number]

export function isOfCustomer(name: string): name is OwnField {
  return (ownFields as readonly string[]).includes(name)
}

type Described = {
  readonly label: keyof Words
  readonly missing: keyof Words
  readonly wrong: keyof Words
  readonly autocomplete: string
  readonly isRequired: boolean
}

export const ownDetails: Readonly<Record<OwnField, Described>> = {
  email: {
    label: 'email',
    missing: 'emailMissing',
    wrong: 'emailWrong',
    autocomplete: 'email',
    isRequired: true,
  },
  first_name: {
    label: 'firstName',
    missing: 'firstNameMissing',
    wrong: 'ownNameWrong',
    autocomplete: 'given-name',
    isRequired: true,
  },
  last_name: {
    label: 'lastName',
    missing: 'ownNameWrong',
    wrong: 'ownNameWrong',
    autocomplete: 'family-name',
    isRequired: false,
  },
}
