// What the demo shop sells, and who buys there. All of it is invented; the addresses lead nowhere.

export const shopName = 'Kettle & Crumb'
export const shopHost = 'kettle-and-crumb.example'

export type Good = {
  readonly title: string
  /** In pence; other currencies follow from it. */
  readonly price: number
  /** Out of all goods together. */
  readonly weight: number
  readonly project?: ProjectName
}

export const projectNames = ['Online shop', 'Tea of the month', 'Workshops'] as const
export type ProjectName = (typeof projectNames)[number]

export const goods: readonly Good[] = [
  { title: 'Assam breakfast tea, 250 g', price: 850, weight: 14, project: 'Online shop' },
  { title: 'Sencha, 100 g', price: 1_250, weight: 9, project: 'Online shop' },
  { title: 'Earl Grey and shortbread', price: 1_650, weight: 11, project: 'Online shop' },
  { title: 'Tea of the month', price: 1_400, weight: 16, project: 'Tea of the month' },
  { title: 'Stoneware mug, speckled', price: 2_200, weight: 10, project: 'Online shop' },
  { title: 'Cast-iron kettle', price: 7_900, weight: 5, project: 'Online shop' },
  { title: 'Teapot for six', price: 4_450, weight: 7, project: 'Online shop' },
  { title: 'Picnic hamper', price: 6_500, weight: 5 },
  { title: 'Bread-baking course, one Saturday', price: 9_500, weight: 5, project: 'Workshops' },
  { title: 'Catering for twelve', price: 23_800, weight: 2 },
]

export type DemoLink = {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly currency: string
  /** Null: the customer decides. */
  readonly price: number | null
  readonly stock: number | null
}

export const demoLinks: readonly DemoLink[] = [
  {
    id: 'lnk_demoTeaForTwo001',
    title: 'Afternoon tea for two',
    description: 'Sandwiches, scones and a pot each. Book a table when you have paid.',
    currency: 'GBP',
    price: 4_800,
    stock: null,
  },
  {
    id: 'lnk_demoChristmas001',
    title: 'Christmas market stall, one evening',
    description: 'A table, a light and mulled tea.',
    currency: 'GBP',
    price: 3_500,
    stock: 60,
  },
  {
    id: 'lnk_demoSaveTheOven1',
    title: 'Save the old oven',
    description: 'Any amount helps to repair it.',
    currency: 'EUR',
    price: null,
    stock: null,
  },
]

/** First names, surnames and the language they read, by where customers live. */
export const regions = [
  {
    language: 'en',
    currency: 'GBP',
    weight: 60,
    first:
      'Olivia Amelia Isla Ava Freya Grace Oscar George Arthur Harry Noah Leo Priya Aisha Zara Callum Rhys Niamh'.split(
        ' ',
      ),
    last: 'Smith Jones Taylor Brown Williams Patel Khan Hughes Evans O’Connor MacLeod Walker Begum Clarke Wood'.split(
      ' ',
    ),
  },
  {
    language: 'de',
    currency: 'EUR',
    weight: 14,
    first: 'Jürgen Anna Lukas Sophie Björn Käthe Maximilian Lena'.split(' '),
    last: 'Müller Schmidt Weiß Schröder Krüger Becker Hoffmann'.split(' '),
  },
  {
    language: 'fr',
    currency: 'EUR',
    weight: 10,
    first: 'Chloé François Inès Théo Zoé Hélène'.split(' '),
    last: 'Lefèvre Dubois Moreau Garçon Bénard'.split(' '),
  },
  {
    language: 'es',
    currency: 'EUR',
    weight: 6,
    first: 'José Lucía María Íñigo Sofía'.split(' '),
    last: 'García Fernández López Núñez'.split(' '),
  },
  {
    language: 'en',
    currency: 'USD',
    weight: 10,
    first: 'Ethan Mia Jacob Emily Wei Hannah Diego'.split(' '),
    last: 'Johnson Nguyen Miller Davis Chen Rodriguez'.split(' '),
  },
] as const

/** Pence times this, rounded to halves, is a price in that currency. */
export const priceFactors: Readonly<Record<string, number>> = { GBP: 1, EUR: 1.17, USD: 1.29 }

export const refundReasons = [
  'Arrived broken',
  'Ordered twice by mistake',
  'Can’t come to the course',
  'Tea was out of stock',
  'Came too late for the birthday',
  null,
] as const

export const declines = [
  ['insufficient_funds', 40],
  ['declined', 30],
  ['expired_card', 12],
  ['wrong_cvc', 12],
  ['processing_error', 6],
] as const
