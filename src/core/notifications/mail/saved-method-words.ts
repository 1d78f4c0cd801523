import type { LanguageCode } from '../../merchants/brand/languages.ts'

// The words of e-mails about saved methods.

export type SavedMethodWords = {
  /** A charge without the customer, which their bank wants them to approve. */
  readonly needs_customer: { readonly subject: string; readonly heading: string; readonly body: string }
  readonly payNow: string
  /** The link to the customer's page. */
  readonly savedMethod: string
}

export const savedMethodWords: Readonly<Record<LanguageCode, SavedMethodWords>> = {
  en: {
    needs_customer: {
      subject: '{merchant} needs you to approve a payment',
      heading: 'Please approve a payment',
      body: '{merchant} tried to charge your saved payment method, and your bank wants you to approve it yourself. No money has been taken. Please pay with the link below.',
    },
    payNow: 'Pay now',
    savedMethod: 'See or end your saved payment method',
  },
  cy: {
    needs_customer: {
      subject: 'Mae angen eich cymeradwyaeth ar {merchant} ar gyfer taliad',
      heading: 'Cymeradwywch daliad',
      body: 'Ceisiodd {merchant} godi tâl ar eich dull talu a gadwyd, ac mae eich banc am i chi ei gymeradwyo eich hun. Ni chymerwyd unrhyw arian. Talwch gyda’r ddolen isod.',
    },
    payNow: 'Talu nawr',
    savedMethod: 'Gweld neu derfynu eich dull talu a gadwyd',
  },
  fr: {
    needs_customer: {
      subject: '{merchant} a besoin de votre accord pour un paiement',
      heading: 'Veuillez approuver un paiement',
      body: '{merchant} a voulu débiter votre moyen de paiement enregistré, et votre banque vous demande de l’approuver vous-même. Aucun montant n’a été prélevé. Veuillez payer avec le lien ci-dessous.',
    },
    payNow: 'Payer maintenant',
    savedMethod: 'Voir ou supprimer votre moyen de paiement enregistré',
  },
  de: {
    needs_customer: {
      subject: '{merchant} braucht Ihre Freigabe für eine Zahlung',
      heading: 'Bitte geben Sie eine Zahlung frei',
      body: '{merchant} wollte Ihre gespeicherte Zahlungsart belasten, und Ihre Bank möchte, dass Sie das selbst freigeben. Es wurde kein Geld abgebucht. Bitte bezahlen Sie über den Link unten.',
    },
    payNow: 'Jetzt bezahlen',
    savedMethod: 'Gespeicherte Zahlungsart ansehen oder beenden',
  },
  es: {
    needs_customer: {
      subject: '{merchant} necesita que apruebe un pago',
      heading: 'Apruebe un pago',
      body: '{merchant} ha intentado cobrar con su método de pago guardado, y su banco quiere que lo apruebe usted mismo. No se ha cobrado nada. Pague con el enlace de abajo, por favor.',
    },
    payNow: 'Pagar ahora',
    savedMethod: 'Ver o eliminar su método de pago guardado',
  },
  pl: {
    needs_customer: {
      subject: '{merchant} prosi o zatwierdzenie płatności',
      heading: 'Zatwierdź płatność',
      body: '{merchant} próbuje obciążyć zapisaną metodę płatności, a bank chce, aby została zatwierdzona osobiście. Żadne pieniądze nie zostały pobrane. Zapłać, korzystając z linku poniżej.',
    },
    payNow: 'Zapłać teraz',
    savedMethod: 'Zobacz lub zakończ zapisaną metodę płatności',
  },
  ar: {
    needs_customer: {
      subject: 'يحتاج {merchant} إلى موافقتك على دفعة',
      heading: 'يرجى الموافقة على دفعة',
      body: 'حاول {merchant} السحب من وسيلة الدفع المحفوظة، ويريد بنكك أن توافق بنفسك. لم يُسحب أي مبلغ. يرجى الدفع بالرابط أدناه.',
    },
    payNow: 'ادفع الآن',
    savedMethod: 'عرض وسيلة الدفع المحفوظة أو إنهاؤها',
  },
}
