import type { LanguageCode } from '../../../core/merchants/brand/languages.ts'

// The words about saved methods: the customer's page for one, and paying with one. {method} is `Visa •••• 4242`.

export type SavedMethodWords = {
  readonly payWith: string
  /** Where neither brand nor digits are known. */
  readonly someCard: string
  readonly someDebit: string
  /** Leads from a receipt to the page. */
  readonly link: string
  readonly title: string
  readonly recurring: string
  readonly unscheduled: string
  readonly method: string
  readonly agreedOn: string
  readonly endedOn: string
  readonly charges: string
  readonly noCharges: string
  readonly paid: string
  readonly pending: string
  readonly needsYou: string
  readonly notPaid: string
  readonly refunded: string
  readonly reversed: string
  readonly end: string
  readonly endExplain: string
  readonly endYes: string
  readonly endedTitle: string
  readonly endedBody: string
  readonly erasedBody: string
}

export const savedMethodWords: Readonly<Record<LanguageCode, SavedMethodWords>> = {
  en: {
    payWith: 'Pay {amount} with {method}',
    someCard: 'your saved card',
    someDebit: 'your saved bank account',
    link: 'See or end your saved payment method',
    title: 'Your saved payment method',
    recurring:
      '{merchant} charges it on a schedule, such as for a subscription, without asking you each time.',
    unscheduled:
      '{merchant} charges it when you owe something, such as for a top-up, without asking you each time.',
    method: 'Payment method',
    agreedOn: 'Agreed on',
    endedOn: 'Ended on',
    charges: 'Latest charges',
    noCharges: 'Nothing has been charged since then.',
    paid: 'Paid',
    pending: 'In progress',
    needsYou: 'Waiting for you: pay now',
    notPaid: 'Not paid',
    refunded: 'Refunded',
    reversed: 'Taken back by your bank',
    end: 'End this agreement',
    endExplain:
      '{merchant} can’t charge this payment method after that. A charge that has already begun can still go through. A subscription or contract with {merchant} isn’t cancelled by this: cancel it there.',
    endYes: 'Yes, end it',
    endedTitle: 'This agreement has ended',
    endedBody: '{merchant} can’t charge this payment method any more. You don’t have to do anything.',
    erasedBody: 'The details of this payment method have been deleted.',
  },
  cy: {
    payWith: 'Talu {amount} gyda {method}',
    someCard: 'eich cerdyn a gadwyd',
    someDebit: 'eich cyfrif banc a gadwyd',
    link: 'Gweld neu derfynu eich dull talu a gadwyd',
    title: 'Eich dull talu a gadwyd',
    recurring:
      'Mae {merchant} yn codi tâl arno’n rheolaidd, er enghraifft am danysgrifiad, heb ofyn i chi bob tro.',
    unscheduled:
      'Mae {merchant} yn codi tâl arno pan fydd arnoch arian, er enghraifft am ychwanegiad, heb ofyn i chi bob tro.',
    method: 'Dull talu',
    agreedOn: 'Cytunwyd ar',
    endedOn: 'Daeth i ben ar',
    charges: 'Y taliadau diweddaraf',
    noCharges: 'Ni chodwyd dim ers hynny.',
    paid: 'Talwyd',
    pending: 'Ar y gweill',
    needsYou: 'Yn aros amdanoch: talu nawr',
    notPaid: 'Heb ei dalu',
    refunded: 'Ad-dalwyd',
    reversed: 'Cymerwyd yn ôl gan eich banc',
    end: 'Dod â’r cytundeb hwn i ben',
    endExplain:
      'Ni all {merchant} godi tâl ar y dull talu hwn ar ôl hynny. Gall tâl sydd eisoes wedi dechrau fynd drwodd o hyd. Nid yw hyn yn canslo tanysgrifiad na chontract gyda {merchant}: canslwch hwnnw yno.',
    endYes: 'Ie, dod ag ef i ben',
    endedTitle: 'Mae’r cytundeb hwn wedi dod i ben',
    endedBody: 'Ni all {merchant} godi tâl ar y dull talu hwn mwyach. Nid oes angen i chi wneud unrhyw beth.',
    erasedBody: 'Mae manylion y dull talu hwn wedi’u dileu.',
  },
  fr: {
    payWith: 'Payer {amount} avec {method}',
    someCard: 'votre carte enregistrée',
    someDebit: 'votre compte bancaire enregistré',
    link: 'Voir ou supprimer votre moyen de paiement enregistré',
    title: 'Votre moyen de paiement enregistré',
    recurring:
      '{merchant} le débite à intervalles réguliers, par exemple pour un abonnement, sans vous le demander à chaque fois.',
    unscheduled:
      '{merchant} le débite lorsqu’un montant est dû, par exemple pour une recharge, sans vous le demander à chaque fois.',
    method: 'Moyen de paiement',
    agreedOn: 'Accord donné le',
    endedOn: 'Terminé le',
    charges: 'Derniers débits',
    noCharges: 'Rien n’a été débité depuis.',
    paid: 'Payé',
    pending: 'En cours',
    needsYou: 'En attente de votre part : payer maintenant',
    notPaid: 'Non payé',
    refunded: 'Remboursé',
    reversed: 'Repris par votre banque',
    end: 'Mettre fin à cet accord',
    endExplain:
      '{merchant} ne pourra plus débiter ce moyen de paiement. Un débit déjà commencé peut encore aboutir. Cela n’annule ni abonnement ni contrat avec {merchant} : résiliez-les sur place.',
    endYes: 'Oui, y mettre fin',
    endedTitle: 'Cet accord a pris fin',
    endedBody: '{merchant} ne peut plus débiter ce moyen de paiement. Vous n’avez rien à faire.',
    erasedBody: 'Les données de ce moyen de paiement ont été supprimées.',
  },
  de: {
    payWith: '{amount} mit {method} zahlen',
    someCard: 'gespeicherter Karte',
    someDebit: 'gespeichertem Bankkonto',
    link: 'Gespeicherte Zahlungsart ansehen oder beenden',
    title: 'Ihre gespeicherte Zahlungsart',
    recurring:
      '{merchant} belastet sie regelmäßig, zum Beispiel für ein Abonnement, ohne Sie jedes Mal zu fragen.',
    unscheduled:
      '{merchant} belastet sie, wenn etwas fällig ist, zum Beispiel für eine Aufladung, ohne Sie jedes Mal zu fragen.',
    method: 'Zahlungsart',
    agreedOn: 'Zugestimmt am',
    endedOn: 'Beendet am',
    charges: 'Letzte Abbuchungen',
    noCharges: 'Seitdem wurde nichts abgebucht.',
    paid: 'Bezahlt',
    pending: 'In Bearbeitung',
    needsYou: 'Wartet auf Sie: jetzt zahlen',
    notPaid: 'Nicht bezahlt',
    refunded: 'Erstattet',
    reversed: 'Von Ihrer Bank zurückgeholt',
    end: 'Vereinbarung beenden',
    endExplain:
      '{merchant} kann diese Zahlungsart danach nicht mehr belasten. Eine Abbuchung, die schon läuft, kann noch durchgehen. Ein Abonnement oder Vertrag mit {merchant} wird dadurch nicht gekündigt: Kündigen Sie dort.',
    endYes: 'Ja, beenden',
    endedTitle: 'Diese Vereinbarung ist beendet',
    endedBody: '{merchant} kann diese Zahlungsart nicht mehr belasten. Sie müssen nichts weiter tun.',
    erasedBody: 'Die Angaben zu dieser Zahlungsart wurden gelöscht.',
  },
  es: {
    payWith: 'Pagar {amount} con {method}',
    someCard: 'su tarjeta guardada',
    someDebit: 'su cuenta bancaria guardada',
    link: 'Ver o eliminar su método de pago guardado',
    title: 'Su método de pago guardado',
    recurring:
      '{merchant} cobra con él periódicamente, por ejemplo por una suscripción, sin preguntarle cada vez.',
    unscheduled:
      '{merchant} cobra con él cuando debe algo, por ejemplo por una recarga, sin preguntarle cada vez.',
    method: 'Método de pago',
    agreedOn: 'Aceptado el',
    endedOn: 'Terminado el',
    charges: 'Últimos cobros',
    noCharges: 'No se ha cobrado nada desde entonces.',
    paid: 'Pagado',
    pending: 'En curso',
    needsYou: 'Pendiente de usted: pagar ahora',
    notPaid: 'No pagado',
    refunded: 'Reembolsado',
    reversed: 'Devuelto por su banco',
    end: 'Poner fin a este acuerdo',
    endExplain:
      'Después, {merchant} ya no podrá cobrar con este método de pago. Un cobro ya iniciado todavía puede completarse. Esto no cancela una suscripción ni un contrato con {merchant}: cancélelos allí.',
    endYes: 'Sí, poner fin',
    endedTitle: 'Este acuerdo ha terminado',
    endedBody: '{merchant} ya no puede cobrar con este método de pago. No tiene que hacer nada.',
    erasedBody: 'Los datos de este método de pago se han eliminado.',
  },
  pl: {
    payWith: 'Zapłać {amount}: {method}',
    someCard: 'zapisana karta',
    someDebit: 'zapisane konto bankowe',
    link: 'Zobacz lub zakończ zapisaną metodę płatności',
    title: 'Twoja zapisana metoda płatności',
    recurring:
      '{merchant} obciąża ją w regularnych odstępach, na przykład za abonament, bez pytania za każdym razem.',
    unscheduled:
      '{merchant} obciąża ją, gdy coś jest do zapłaty, na przykład za doładowanie, bez pytania za każdym razem.',
    method: 'Metoda płatności',
    agreedOn: 'Data zgody',
    endedOn: 'Data zakończenia',
    charges: 'Ostatnie obciążenia',
    noCharges: 'Od tego czasu nic nie pobrano.',
    paid: 'Zapłacono',
    pending: 'W toku',
    needsYou: 'Czeka na Ciebie: zapłać teraz',
    notPaid: 'Nie zapłacono',
    refunded: 'Zwrócono',
    reversed: 'Cofnięte przez bank',
    end: 'Zakończ tę umowę',
    endExplain:
      'Potem {merchant} nie będzie już mógł obciążać tej metody płatności. Rozpoczęte obciążenie może się jeszcze zakończyć. Nie anuluje to abonamentu ani umowy ze sklepem {merchant}: trzeba je wypowiedzieć tam.',
    endYes: 'Tak, zakończ',
    endedTitle: 'Ta umowa została zakończona',
    endedBody: '{merchant} nie może już obciążać tej metody płatności. Nie trzeba nic robić.',
    erasedBody: 'Dane tej metody płatności zostały usunięte.',
  },
  ar: {
    payWith: 'ادفع {amount} بـ {method}',
    someCard: 'بطاقتك المحفوظة',
    someDebit: 'حسابك المصرفي المحفوظ',
    link: 'عرض وسيلة الدفع المحفوظة أو إنهاؤها',
    title: 'وسيلة الدفع المحفوظة لديك',
    recurring: 'يسحب {merchant} منها في مواعيد منتظمة، مثلًا لاشتراك، دون أن يسألك كل مرة.',
    unscheduled: 'يسحب {merchant} منها عندما يُستحق شيء، مثلًا لتعبئة رصيد، دون أن يسألك كل مرة.',
    method: 'وسيلة الدفع',
    agreedOn: 'تاريخ الموافقة',
    endedOn: 'تاريخ الإنهاء',
    charges: 'أحدث عمليات السحب',
    noCharges: 'لم يُسحب شيء منذ ذلك الحين.',
    paid: 'مدفوع',
    pending: 'قيد التنفيذ',
    needsYou: 'بانتظارك: ادفع الآن',
    notPaid: 'غير مدفوع',
    refunded: 'مُسترد',
    reversed: 'استرده مصرفك',
    end: 'إنهاء هذه الموافقة',
    endExplain:
      'بعد ذلك لا يستطيع {merchant} السحب من وسيلة الدفع هذه. قد تكتمل عملية سحب بدأت بالفعل. لا يلغي هذا اشتراكًا أو عقدًا مع {merchant}: ألغِه هناك.',
    endYes: 'نعم، إنهاء',
    endedTitle: 'انتهت هذه الموافقة',
    endedBody: 'لم يعد بإمكان {merchant} السحب من وسيلة الدفع هذه. لا يلزمك فعل أي شيء.',
    erasedBody: 'حُذفت بيانات وسيلة الدفع هذه.',
  },
}
