import type { LanguageCode } from './languages.ts'

// The name of the tax on a receipt, unless the merchant names it: by the shop's country, or else by the currency, whose
// first two letters are a country's.

type Tax = 'vat' | 'gst' | 'sales' | 'consumption' | 'tax'

const countriesOf: readonly (readonly [Tax, string])[] = [
  // The European Union, and everybody else whose tax is a VAT in English.
  ['vat', 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK EU'],
  [
    'vat',
    'AE AL AM AR AZ BA BH BY CH CL CN CO CR DZ EC EG ET FO GB GE GH ID IL IM IS KE KR KZ LI LK MA MC MD ME MK',
  ],
  ['vat', 'MU MX NG NO NP OM PE PH PY RS RU RW SA SM TH TN TR TZ UA UG UY UZ VN XK ZA ZM ZW'],
  ['gst', 'AU BT CA FJ IN JE MV NZ PG PK SG'],
  ['sales', 'PR US'],
  ['consumption', 'JP'],
]

const taxes: ReadonlyMap<string, Tax> = new Map(
  countriesOf.flatMap(([tax, codes]) => codes.split(' ').map((code) => [code, tax] as const)),
)

/** As written within a sentence. */
const names: Readonly<Record<LanguageCode, Readonly<Record<Tax, string>>>> = {
  en: { vat: 'VAT', gst: 'GST', sales: 'sales tax', consumption: 'consumption tax', tax: 'tax' },
  cy: { vat: 'TAW', gst: 'GST', sales: 'treth werthu', consumption: 'treth ddefnydd', tax: 'treth' },
  fr: { vat: 'TVA', gst: 'TPS', sales: 'taxe de vente', consumption: 'taxe à la consommation', tax: 'taxe' },
  de: { vat: 'MwSt.', gst: 'GST', sales: 'Sales Tax', consumption: 'Verbrauchssteuer', tax: 'Steuer' },
  es: {
    vat: 'IVA',
    gst: 'GST',
    sales: 'impuesto sobre las ventas',
    consumption: 'impuesto al consumo',
    tax: 'impuesto',
  },
  pl: {
    vat: 'VAT',
    gst: 'GST',
    sales: 'podatek od sprzedaży',
    consumption: 'podatek konsumpcyjny',
    tax: 'podatek',
  },
  ar: {
    vat: 'ضريبة القيمة المضافة',
    gst: 'ضريبة السلع والخدمات',
    sales: 'ضريبة المبيعات',
    consumption: 'ضريبة الاستهلاك',
    tax: 'الضريبة',
  },
}

export function taxNameOf(country: string | undefined, currency: string, language: LanguageCode): string {
  return names[language][taxes.get(country ?? currency.slice(0, 2)) ?? 'tax']
}
