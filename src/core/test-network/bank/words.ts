// The words of the test bank's page, in the languages of the checkout: a network speaks to the customer itself.

export type BankWords = {
  readonly bank: string
  readonly plays: string
  readonly pay: string
  readonly payLater: string
  readonly refuse: string
  readonly leave: string
  readonly payee: string
  readonly ended: string
  readonly back: string
}

const en: BankWords = {
  bank: 'Test bank',
  plays: 'This page plays a payment network. It is not the shop and not Florin, and no money moves.',
  pay: 'Pay {amount}',
  payLater: 'Pay, and decide in a moment',
  refuse: 'Refuse the payment',
  leave: 'Go back without paying',
  payee: 'To',
  ended: 'This page can no longer be paid on.',
  back: 'Back to the shop',
}

const words: Readonly<Record<string, BankWords>> = {
  en,
  cy: {
    bank: 'Banc prawf',
    plays:
      'Mae’r dudalen hon yn chwarae rhan rhwydwaith talu. Nid y siop na Florin yw hi, ac nid oes arian yn symud.',
    pay: 'Talu {amount}',
    payLater: 'Talu, a phenderfynu mewn eiliad',
    refuse: 'Gwrthod y taliad',
    leave: 'Mynd yn ôl heb dalu',
    payee: 'I',
    ended: 'Ni ellir talu ar y dudalen hon mwyach.',
    back: 'Yn ôl i’r siop',
  },
  fr: {
    bank: 'Banque de test',
    plays:
      'Cette page joue le rôle d’un réseau de paiement. Ce n’est ni la boutique ni Florin, et aucun argent ne circule.',
    pay: 'Payer {amount}',
    payLater: 'Payer, et décider dans un instant',
    refuse: 'Refuser le paiement',
    leave: 'Revenir sans payer',
    payee: 'À',
    ended: 'On ne peut plus payer sur cette page.',
    back: 'Retour à la boutique',
  },
  de: {
    bank: 'Testbank',
    plays:
      'Diese Seite steht für ein Zahlungsnetz. Sie ist weder der Shop noch Florin, und es fließt kein Geld.',
    pay: '{amount} zahlen',
    payLater: 'Zahlen, Entscheidung folgt gleich',
    refuse: 'Zahlung ablehnen',
    leave: 'Zurück, ohne zu zahlen',
    payee: 'An',
    ended: 'Auf dieser Seite kann nicht mehr gezahlt werden.',
    back: 'Zurück zum Shop',
  },
  es: {
    bank: 'Banco de prueba',
    plays: 'Esta página hace de red de pago. No es la tienda ni Florin, y no se mueve dinero.',
    pay: 'Pagar {amount}',
    payLater: 'Pagar y decidir en un momento',
    refuse: 'Rechazar el pago',
    leave: 'Volver sin pagar',
    payee: 'A',
    ended: 'Ya no se puede pagar en esta página.',
    back: 'Volver a la tienda',
  },
  pl: {
    bank: 'Bank testowy',
    plays: 'Ta strona udaje sieć płatniczą. To nie sklep ani Florin, a pieniądze nie są przekazywane.',
    pay: 'Zapłać {amount}',
    payLater: 'Zapłać, decyzja za chwilę',
    refuse: 'Odrzuć płatność',
    leave: 'Wróć bez płacenia',
    payee: 'Odbiorca',
    ended: 'Na tej stronie nie można już zapłacić.',
    back: 'Powrót do sklepu',
  },
  ar: {
    bank: 'مصرف الاختبار',
    plays: 'تمثّل هذه الصفحة شبكة دفع. ليست المتجر ولا Florin، ولا ينتقل أي مال.',
    pay: 'ادفع {amount}',
    payLater: 'ادفع، والقرار بعد لحظة',
    refuse: 'ارفض الدفع',
    leave: 'الرجوع دون دفع',
    payee: 'إلى',
    ended: 'لم يعد الدفع ممكنًا على هذه الصفحة.',
    back: 'العودة إلى المتجر',
  },
}

export function bankWords(language: string | null): BankWords {
  return words[language ?? 'en'] ?? en
}
