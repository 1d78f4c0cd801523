import { languageCodes, type LanguageCode } from '../../merchants/brand/languages.ts'
import { receiptWords, type ReceiptWords } from './receipt-words.ts'
import { savedMethodWords, type SavedMethodWords } from './saved-method-words.ts'

// The texts of e-mails, in the languages of the checkout page and with its terms.

export const languages = languageCodes
export type Language = LanguageCode

type MailText = { readonly subject: string; readonly heading: string; readonly body: string }

export type Words = ReceiptWords &
  SavedMethodWords & {
    readonly greeting: string
    readonly receipt: MailText
    readonly refund: MailText
    /** The body where only part of the payment went back; {total} is the payment. */
    readonly refundOfPart: string
    readonly failure: MailText
    /** Paid through a network that takes days. */
    readonly on_its_way: MailText
    readonly paidTo: string
    /** The same where nothing was paid. */
    readonly payee: string
    readonly amount: string
    readonly date: string
    readonly reference: string
    readonly order: string
    /** Why money went back. */
    readonly reason: string
    readonly footer: string
    readonly test: string
  }

const words: Record<Language, Omit<Words, keyof ReceiptWords | keyof SavedMethodWords>> = {
  en: {
    greeting: 'Hello {name},',
    receipt: {
      subject: 'Receipt from {merchant}: {amount}',
      heading: 'Payment received',
      body: 'Your payment to {merchant} went through. Please keep this receipt.',
    },
    refund: {
      subject: 'Refund from {merchant}: {amount}',
      heading: 'Refund sent',
      body: '{merchant} has sent your money back. It can take a few working days to reach your account.',
    },
    refundOfPart:
      '{merchant} has sent back {amount} of your payment of {total}. It can take a few working days to reach your account.',
    failure: {
      subject: 'Your payment to {merchant} did not go through',
      heading: 'Payment failed',
      body: 'Your payment to {merchant} did not go through. No money has been taken. To try again, start a new payment with {merchant}.',
    },
    on_its_way: {
      subject: 'Your payment to {merchant} is on its way',
      heading: 'Payment on its way',
      body: 'Thank you. Your payment of {amount} to {merchant} can take a few working days to arrive. We’ll e-mail you when it does. Please don’t pay again.',
    },
    paidTo: 'Paid to',
    payee: 'To',
    amount: 'Amount',
    date: 'Date',
    reference: 'Reference',
    order: 'Order reference',
    reason: 'Reason',
    footer: 'Questions about your order? Contact {merchant} and give the reference above.',
    test: 'Test payment. No money was taken.',
  },
  cy: {
    greeting: 'Helo {name},',
    receipt: {
      subject: 'Derbynneb gan {merchant}: {amount}',
      heading: 'Taliad wedi’i dderbyn',
      body: 'Mae eich taliad i {merchant} wedi llwyddo. Cadwch y dderbynneb hon.',
    },
    refund: {
      subject: 'Ad-daliad gan {merchant}: {amount}',
      heading: 'Ad-daliad wedi’i anfon',
      body: 'Mae {merchant} wedi anfon eich arian yn ôl. Gall gymryd ychydig ddyddiau gwaith i gyrraedd eich cyfrif.',
    },
    refundOfPart:
      'Mae {merchant} wedi anfon {amount} o’ch taliad o {total} yn ôl. Gall gymryd ychydig ddyddiau gwaith i gyrraedd eich cyfrif.',
    failure: {
      subject: 'Nid aeth eich taliad i {merchant} drwodd',
      heading: 'Methodd y taliad',
      body: 'Nid aeth eich taliad i {merchant} drwodd. Ni chymerwyd unrhyw arian. I roi cynnig arall arni, dechreuwch daliad newydd gyda {merchant}.',
    },
    on_its_way: {
      subject: 'Mae eich taliad i {merchant} ar ei ffordd',
      heading: 'Taliad ar ei ffordd',
      body: 'Diolch. Gall eich taliad o {amount} i {merchant} gymryd ychydig ddyddiau gwaith i gyrraedd. Byddwn yn anfon e-bost atoch pan fydd yn cyrraedd. Peidiwch â thalu eto.',
    },
    paidTo: 'Talwyd i',
    payee: 'I',
    amount: 'Swm',
    date: 'Dyddiad',
    reference: 'Cyfeirnod',
    order: 'Cyfeirnod yr archeb',
    reason: 'Rheswm',
    footer: 'Cwestiynau am eich archeb? Cysylltwch â {merchant} a rhowch y cyfeirnod uchod.',
    test: 'Taliad prawf. Ni chymerwyd unrhyw arian.',
  },
  fr: {
    greeting: 'Bonjour {name},',
    receipt: {
      subject: 'Reçu de {merchant} : {amount}',
      heading: 'Paiement reçu',
      body: 'Votre paiement à {merchant} a abouti. Conservez ce reçu.',
    },
    refund: {
      subject: 'Remboursement de {merchant} : {amount}',
      heading: 'Remboursement envoyé',
      body: '{merchant} vous a remboursé. L’argent peut mettre quelques jours ouvrés à arriver sur votre compte.',
    },
    refundOfPart:
      '{merchant} vous a remboursé {amount} sur votre paiement de {total}. Quelques jours ouvrés peuvent être nécessaires pour que la somme arrive sur votre compte.',
    failure: {
      subject: 'Votre paiement à {merchant} n’a pas abouti',
      heading: 'Échec du paiement',
      body: 'Votre paiement à {merchant} n’a pas abouti. Aucun montant n’a été prélevé. Pour réessayer, commencez un nouveau paiement auprès de {merchant}.',
    },
    on_its_way: {
      subject: 'Votre paiement à {merchant} est en route',
      heading: 'Paiement en route',
      body: 'Merci. Votre paiement de {amount} à {merchant} peut mettre quelques jours ouvrés à arriver. Nous vous écrirons dès qu’il sera arrivé. Ne payez pas une seconde fois.',
    },
    paidTo: 'Payé à',
    payee: 'À',
    amount: 'Montant',
    date: 'Date',
    reference: 'Référence',
    order: 'Référence de commande',
    reason: 'Motif',
    footer: 'Une question sur votre commande ? Contactez {merchant} et indiquez la référence ci-dessus.',
    test: 'Paiement de test. Aucun montant n’a été prélevé.',
  },
  de: {
    greeting: 'Guten Tag {name},',
    receipt: {
      subject: 'Beleg von {merchant}: {amount}',
      heading: 'Zahlung erhalten',
      body: 'Ihre Zahlung an {merchant} war erfolgreich. Bitte bewahren Sie diesen Beleg auf.',
    },
    refund: {
      subject: 'Erstattung von {merchant}: {amount}',
      heading: 'Erstattung veranlasst',
      body: '{merchant} hat Ihnen Ihr Geld erstattet. Es kann einige Werktage dauern, bis es auf Ihrem Konto ist.',
    },
    refundOfPart:
      '{merchant} hat Ihnen {amount} Ihrer Zahlung über {total} erstattet. Bis das Geld auf Ihrem Konto ist, kann es einige Werktage dauern.',
    failure: {
      subject: 'Ihre Zahlung an {merchant} war nicht erfolgreich',
      heading: 'Zahlung fehlgeschlagen',
      body: 'Ihre Zahlung an {merchant} war nicht erfolgreich. Es wurde kein Geld abgebucht. Für einen neuen Versuch beginnen Sie bei {merchant} eine neue Zahlung.',
    },
    on_its_way: {
      subject: 'Ihre Zahlung an {merchant} ist unterwegs',
      heading: 'Zahlung unterwegs',
      body: 'Vielen Dank. Bis Ihre Zahlung über {amount} bei {merchant} ankommt, kann es einige Werktage dauern. Sobald sie da ist, schreiben wir Ihnen. Bitte zahlen Sie nicht noch einmal.',
    },
    paidTo: 'Gezahlt an',
    payee: 'An',
    amount: 'Betrag',
    date: 'Datum',
    reference: 'Referenz',
    order: 'Bestellnummer',
    reason: 'Grund',
    footer: 'Fragen zu Ihrer Bestellung? Wenden Sie sich an {merchant} und nennen Sie die Referenz oben.',
    test: 'Testzahlung. Es wurde kein Geld abgebucht.',
  },
  es: {
    greeting: 'Hola, {name}:',
    receipt: {
      subject: 'Recibo de {merchant}: {amount}',
      heading: 'Pago recibido',
      body: 'Su pago a {merchant} se ha realizado. Guarde este recibo.',
    },
    refund: {
      subject: 'Reembolso de {merchant}: {amount}',
      heading: 'Reembolso enviado',
      body: '{merchant} le ha devuelto el dinero. Puede tardar unos días hábiles en llegar a su cuenta.',
    },
    refundOfPart:
      '{merchant} le ha devuelto {amount} de su pago de {total}. Puede tardar unos días hábiles en llegar a su cuenta.',
    failure: {
      subject: 'Su pago a {merchant} no se ha realizado',
      heading: 'El pago ha fallado',
      body: 'Su pago a {merchant} no se ha realizado. No se ha cobrado nada. Para volver a intentarlo, inicie un nuevo pago con {merchant}.',
    },
    on_its_way: {
      subject: 'Su pago a {merchant} está en camino',
      heading: 'Pago en camino',
      body: 'Gracias. Su pago de {amount} a {merchant} puede tardar unos días hábiles en llegar. Le escribiremos cuando llegue. No vuelva a pagar.',
    },
    paidTo: 'Pagado a',
    payee: 'Para',
    amount: 'Importe',
    date: 'Fecha',
    reference: 'Referencia',
    order: 'Referencia del pedido',
    reason: 'Motivo',
    footer:
      '¿Tiene preguntas sobre su pedido? Póngase en contacto con {merchant} e indique la referencia de arriba.',
    test: 'Pago de prueba. No se ha cobrado nada.',
  },
  pl: {
    greeting: 'Dzień dobry {name},',
    receipt: {
      subject: 'Potwierdzenie od {merchant}: {amount}',
      heading: 'Płatność przyjęta',
      body: 'Płatność na rzecz {merchant} powiodła się. Prosimy zachować to potwierdzenie.',
    },
    refund: {
      subject: 'Zwrot od {merchant}: {amount}',
      heading: 'Zwrot wysłany',
      body: '{merchant} zwraca Twoje pieniądze. Mogą dotrzeć na konto po kilku dniach roboczych.',
    },
    refundOfPart:
      '{merchant} zwraca {amount} z płatności {total}. Pieniądze mogą dotrzeć na konto w ciągu kilku dni roboczych.',
    failure: {
      subject: 'Płatność na rzecz {merchant} nie powiodła się',
      heading: 'Płatność nie powiodła się',
      body: 'Płatność na rzecz {merchant} nie powiodła się. Żadne pieniądze nie zostały pobrane. Aby spróbować ponownie, rozpocznij nową płatność u {merchant}.',
    },
    on_its_way: {
      subject: 'Płatność na rzecz {merchant} jest w drodze',
      heading: 'Płatność w drodze',
      body: 'Dziękujemy. Płatność {amount} na rzecz {merchant} może dotrzeć po kilku dniach roboczych. Gdy dotrze, wyślemy wiadomość. Prosimy nie płacić ponownie.',
    },
    paidTo: 'Odbiorca',
    payee: 'Odbiorca',
    amount: 'Kwota',
    date: 'Data',
    reference: 'Numer płatności',
    order: 'Numer zamówienia',
    reason: 'Powód',
    footer: 'Pytania o zamówienie? Skontaktuj się z {merchant} i podaj powyższy numer płatności.',
    test: 'Płatność testowa. Żadne pieniądze nie zostały pobrane.',
  },
  ar: {
    greeting: 'مرحبًا {name}،',
    receipt: {
      subject: 'إيصال من {merchant}: {amount}',
      heading: 'تم استلام الدفعة',
      body: 'تمت دفعتك إلى {merchant} بنجاح. يُرجى الاحتفاظ بهذا الإيصال.',
    },
    refund: {
      subject: 'استرداد من {merchant}: {amount}',
      heading: 'تم إرسال المبلغ المسترد',
      body: 'أعاد {merchant} أموالك إليك. قد يستغرق وصولها إلى حسابك بضعة أيام عمل.',
    },
    refundOfPart:
      'أعاد {merchant} إليك {amount} من دفعتك البالغة {total}. قد يستغرق وصولها إلى حسابك بضعة أيام عمل.',
    failure: {
      subject: 'لم تتم دفعتك إلى {merchant}',
      heading: 'فشلت الدفعة',
      body: 'لم تتم دفعتك إلى {merchant}. لم يُسحب أي مبلغ. للمحاولة من جديد، ابدأ دفعة جديدة لدى {merchant}.',
    },
    on_its_way: {
      subject: 'دفعتك إلى {merchant} في الطريق',
      heading: 'الدفعة في الطريق',
      body: 'شكرًا لك. قد يستغرق وصول دفعتك البالغة {amount} إلى {merchant} بضعة أيام عمل. سنراسلك عند وصولها. يُرجى عدم الدفع مرة أخرى.',
    },
    paidTo: 'دُفع إلى',
    payee: 'إلى',
    amount: 'المبلغ',
    date: 'التاريخ',
    reference: 'المرجع',
    order: 'مرجع الطلب',
    reason: 'السبب',
    footer: 'هل لديك سؤال عن طلبك؟ تواصل مع {merchant} واذكر المرجع أعلاه.',
    test: 'دفعة اختبارية. لم يُسحب أي مبلغ.',
  },
}

export function wordsOf(language: Language): Words {
  return { ...words[language], ...receiptWords[language], ...savedMethodWords[language] }
}
