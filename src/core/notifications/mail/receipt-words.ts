// The texts of a receipt by e-mail: labels of its lines, and where its links lead.

export type ReceiptWords = {
  readonly paidFor: string
  readonly card: string
  readonly cardEnding: string
  /** Who took the money, if there is no card. */
  readonly paidWith: string
  readonly cardThrough: string
  readonly bankThrough: string
  readonly mobileMoneyThrough: string
  /** The network of test mode, as the checkout calls it. */
  readonly testBank: string
  readonly taxIncluded: string
  readonly total: string
  readonly invoice: string
  /** The text on the bank statement. */
  readonly statement: string
  readonly viewReceipt: string
  /** The same where there is no receipt yet. */
  readonly viewPayment: string
  readonly downloadPdf: string
  /** For e-mails whose replies reach the shop. */
  readonly footerReply: string
  readonly companyNumber: string
  readonly vatNumber: string
}

type Language = 'en' | 'cy' | 'fr' | 'de' | 'es' | 'pl' | 'ar'

export const receiptWords: Readonly<Record<Language, ReceiptWords>> = {
  en: {
    paidFor: 'For',
    card: 'Card',
    cardEnding: '{brand} ending in {last4}',
    paidWith: 'Paid with',
    cardThrough: 'Card, through {network}',
    bankThrough: 'Bank payment, through {network}',
    mobileMoneyThrough: 'Mobile money, through {network}',
    testBank: 'Test bank',
    taxIncluded: 'Includes {tax} at {rate}',
    total: 'Total',
    invoice: 'Invoice number',
    statement: 'On your statement',
    viewReceipt: 'View your receipt',
    viewPayment: 'View your payment',
    downloadPdf: 'Download PDF',
    footerReply: 'Questions about your order? Reply to this e-mail and mention the reference above.',
    companyNumber: 'Company number {number}',
    vatNumber: 'VAT number {number}',
  },
  cy: {
    paidFor: 'Am',
    card: 'Cerdyn',
    cardEnding: '{brand} yn gorffen â {last4}',
    paidWith: 'Talwyd gyda',
    cardThrough: 'Cerdyn, drwy {network}',
    bankThrough: 'Taliad banc, drwy {network}',
    mobileMoneyThrough: 'Arian symudol, drwy {network}',
    testBank: 'Banc prawf',
    taxIncluded: 'Yn cynnwys {tax} ar {rate}',
    total: 'Cyfanswm',
    invoice: 'Rhif anfoneb',
    statement: 'Ar eich cyfriflen',
    viewReceipt: 'Gweld eich derbynneb',
    viewPayment: 'Gweld eich taliad',
    downloadPdf: 'Lawrlwytho PDF',
    footerReply: 'Cwestiynau am eich archeb? Atebwch yr e-bost hwn a nodwch y cyfeirnod uchod.',
    companyNumber: 'Rhif cwmni {number}',
    vatNumber: 'Rhif TAW {number}',
  },
  fr: {
    paidFor: 'Pour',
    card: 'Carte',
    cardEnding: '{brand} se terminant par {last4}',
    paidWith: 'Payé avec',
    cardThrough: 'Carte, via {network}',
    bankThrough: 'Paiement bancaire, via {network}',
    mobileMoneyThrough: 'Mobile money, via {network}',
    testBank: 'Banque de test',
    taxIncluded: 'Dont {tax} à {rate}',
    total: 'Total',
    invoice: 'Numéro de facture',
    statement: 'Sur votre relevé',
    viewReceipt: 'Voir votre reçu',
    viewPayment: 'Voir votre paiement',
    downloadPdf: 'Télécharger le PDF',
    footerReply:
      'Une question sur votre commande ? Répondez à cet e-mail en indiquant la référence ci-dessus.',
    companyNumber: 'N° d’entreprise {number}',
    vatNumber: 'N° de TVA {number}',
  },
  de: {
    paidFor: 'Für',
    card: 'Karte',
    cardEnding: '{brand} mit Endziffern {last4}',
    paidWith: 'Bezahlt mit',
    cardThrough: 'Karte, über {network}',
    bankThrough: 'Bankzahlung, über {network}',
    mobileMoneyThrough: 'Mobile Money, über {network}',
    testBank: 'Testbank',
    taxIncluded: 'Inkl. {rate} {tax}',
    total: 'Gesamtbetrag',
    invoice: 'Rechnungsnummer',
    statement: 'Auf Ihrem Kontoauszug',
    viewReceipt: 'Beleg ansehen',
    viewPayment: 'Zahlung ansehen',
    downloadPdf: 'PDF herunterladen',
    footerReply:
      'Fragen zu Ihrer Bestellung? Antworten Sie auf diese E-Mail und nennen Sie die Referenz oben.',
    companyNumber: 'Handelsregisternummer {number}',
    vatNumber: 'USt-IdNr. {number}',
  },
  es: {
    paidFor: 'Por',
    card: 'Tarjeta',
    cardEnding: '{brand} terminada en {last4}',
    paidWith: 'Pagado con',
    cardThrough: 'Tarjeta, a través de {network}',
    bankThrough: 'Pago bancario, a través de {network}',
    mobileMoneyThrough: 'Dinero móvil, a través de {network}',
    testBank: 'Banco de prueba',
    taxIncluded: 'Incluye {tax} ({rate})',
    total: 'Total',
    invoice: 'Número de factura',
    statement: 'En su extracto',
    viewReceipt: 'Ver su recibo',
    viewPayment: 'Ver su pago',
    downloadPdf: 'Descargar PDF',
    footerReply:
      '¿Tiene preguntas sobre su pedido? Responda a este correo e indique la referencia de arriba.',
    companyNumber: 'N.º de empresa {number}',
    vatNumber: 'N.º de IVA {number}',
  },
  pl: {
    paidFor: 'Za',
    card: 'Karta',
    cardEnding: '{brand} z końcówką {last4}',
    paidWith: 'Sposób płatności',
    cardThrough: 'Karta, przez {network}',
    bankThrough: 'Płatność bankowa, przez {network}',
    mobileMoneyThrough: 'Mobile money, przez {network}',
    testBank: 'Bank testowy',
    taxIncluded: 'W tym {tax} {rate}',
    total: 'Razem',
    invoice: 'Numer faktury',
    statement: 'Na wyciągu z konta',
    viewReceipt: 'Zobacz potwierdzenie',
    viewPayment: 'Zobacz płatność',
    downloadPdf: 'Pobierz PDF',
    footerReply: 'Masz pytania o zamówienie? Odpowiedz na tę wiadomość i podaj powyższy numer płatności.',
    companyNumber: 'Numer firmy {number}',
    vatNumber: 'NIP/VAT {number}',
  },
  ar: {
    paidFor: 'مقابل',
    card: 'البطاقة',
    cardEnding: '{brand} تنتهي بـ {last4}',
    paidWith: 'دُفع بواسطة',
    cardThrough: 'بطاقة، عبر {network}',
    bankThrough: 'دفع مصرفي، عبر {network}',
    mobileMoneyThrough: 'مال عبر الهاتف، عبر {network}',
    testBank: 'مصرف الاختبار',
    taxIncluded: 'يشمل {tax} بنسبة {rate}',
    total: 'الإجمالي',
    invoice: 'رقم الفاتورة',
    statement: 'في كشف حسابك',
    viewReceipt: 'عرض إيصالك',
    viewPayment: 'عرض الدفعة',
    downloadPdf: 'تنزيل PDF',
    footerReply: 'هل لديك سؤال عن طلبك؟ رد على هذه الرسالة واذكر المرجع أعلاه.',
    companyNumber: 'رقم الشركة {number}',
    vatNumber: 'الرقم الضريبي {number}',
  },
}
