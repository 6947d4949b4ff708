// Every English sentence of the hosted pages. Its shape is required of each other language. Must not contain markup.
// `{names}` are placeholders for values that the page fills in, escaped.

export const en = {
  testMode: 'Test mode: no real money moves',
  footer: 'We never store your card number or security code.',
  errorTitle: 'Error: {title}',
  order: 'Order',
  description: 'For',
  amount: 'Amount',
  merchant: 'To',
  card: 'Card',
  cardEnding: '{brand} ending in {last4}',
  cardEndingOnly: 'ending in {last4}',
  paidWith: 'Paid with',
  pay: {
    title: 'Pay {amount} to {merchant}',
    heading: 'Payment to {merchant}',
    payableUntil: 'Payable until',
    cardDetails: 'Card details',
    button: 'Pay {amount}',
    busy: 'Paying… Please wait and do not close this page.',
    leave: 'Cancel and return to {merchant}',
    leaveHint: 'Nothing is charged, and you can still pay with this link later.',
    triesLeft: 'You can try {count} more times.',
    lastTry: 'You can try one more time.',
    testCards: 'Test cards',
    testCardsHint: 'Any expiry date in the future and any 3 digits as security code.',
  },
  methods: {
    heading: 'How would you like to pay?',
    card: 'Pay by card',
    transfer: 'Bank transfer',
    payWith: 'Pay with {title}',
    payByTransfer: 'Pay by bank transfer',
    payAmountByTransfer: 'Pay {amount} by bank transfer',
    aboutPage: 'You go on to {title} to pay, and come back here.',
    aboutTransfer: 'You order the transfer at your own bank. It takes 1–2 working days.',
    isDoubtful: 'This may not work right now.',
    busy: 'One moment, please…',
    cameBack: 'You came back without paying. Nothing was charged.',
    transferEnded:
      'The bank transfer has ended here, and nothing has arrived. Please do not send it any more. If you already have, {merchant} will hear of it.',
  },
  testCards: {
    success: 'is paid',
    declined: 'is declined',
    challenge: 'asks the bank for a confirmation',
  },
  fields: {
    name: {
      label: 'Name on card',
      hint: '',
      placeholder: '',
      problems: {
        missing: 'Enter the name on the card.',
        invalid: 'Enter the name as it is printed on the card.',
        too_long: 'This name is too long. Enter it as it is printed on the card.',
      },
    },
    number: {
      label: 'Card number',
      hint: 'With or without spaces',
      placeholder: '',
      problems: {
        missing: 'Enter the card number.',
        invalid: 'This card number is not right. Check each digit.',
        too_long: 'This card number has too many digits.',
        unsupported_test_card:
          'Here only the test cards work, listed below this form. Do not enter a real card.',
      },
    },
    expiry: {
      label: 'Expiry date',
      hint: 'Month and year',
      placeholder: 'MM/YY',
      problems: {
        missing: 'Enter the expiry date.',
        invalid: 'Enter month and year, for example 08/31.',
        expired: 'This card has expired. Check the date or use another card.',
        too_long: 'Enter month and year, for example 08/31.',
      },
    },
    csc: {
      label: 'Security code',
      hint: '3 digits on the back; American Express: 4 on the front',
      placeholder: '',
      problems: {
        missing: 'Enter the security code.',
        invalid: 'The security code has 3 digits, or 4 with American Express.',
        too_long: 'The security code has 3 digits, or 4 with American Express.',
      },
    },
  },
  problems: {
    incorrect_csc: {
      what: 'The security code was not right.',
      next: 'You have not been charged. Enter the card again and check the code.',
    },
    expired_card: {
      what: 'Your bank says that this card has expired.',
      next: 'You have not been charged. Please use another card.',
    },
    authentication_failed: {
      what: 'Your bank could not confirm that it is you.',
      next: 'You have not been charged. Try again or use another card.',
    },
    authentication_abandoned: {
      what: 'The confirmation with your bank was not finished.',
      next: 'You have not been charged. Enter the card again to start over.',
    },
    processing_error: {
      what: 'Your card could not be processed just now.',
      next: 'You have not been charged. Please try again in a moment.',
    },
    declined_retry: {
      what: 'Your bank declined this card.',
      next: 'You have not been charged. Use another card, or ask your bank why.',
    },
    money_sent_back: {
      what: 'Money was taken from your card that was not due.',
      next: 'All of it is being sent back to your card. This payment is still open: you can pay it with this card or another.',
    },
    money_returned: {
      what: 'Money was taken that was not due.',
      next: 'All of it is being sent back to you. This payment is still open, and you can pay it.',
    },
    money_held: {
      what: 'Money was taken in another currency than was due.',
      next: 'The merchant has been notified and has to send it back. Ask them before you pay again.',
    },
    unreachable: {
      what: '{title} can’t be reached right now.',
      next: 'You have not been charged. You can pay another way, or try again.',
    },
    unreachable_alone: {
      what: '{title} can’t be reached right now.',
      next: 'You have not been charged. Please try again in a moment.',
    },
    declined_there: {
      what: 'Your payment with {title} was declined.',
      next: 'You have not been charged. You can try again.',
    },
    source_declined: {
      what: '{title} declined the card or account that you chose.',
      next: 'You have not been charged. Choose another one at {title}, or pay another way.',
    },
    method_gone: {
      what: 'This way to pay is not offered any more.',
      next: 'Nothing was sent, and you have not been charged. Please choose another.',
    },
    form_expired: {
      what: 'This page was open for too long.',
      next: 'Nothing was sent, and you have not been charged. Please enter the card again.',
    },
    page_expired: {
      what: 'This page was open for too long.',
      next: 'Nothing was sent, and you have not been charged. Please choose again.',
    },
    fields: {
      what: 'Something is missing or not right.',
      next: 'You have not been charged. Please enter the card again and check:',
    },
  },
  sentBack: {
    paid: 'Your payment to {merchant} went through. Money that was taken beyond it is being sent back to your card.',
    unpaid: 'Money was taken from your card that was not due. All of it is being sent back to your card.',
    paidThere:
      'Your payment to {merchant} went through. Money that was taken beyond it is being sent back to you.',
    unpaidThere: 'Money was taken that was not due. All of it is being sent back to you.',
    held: 'Money was taken in another currency than was due. {merchant} has to send it back: ask them before you pay again.',
  },
  states: {
    checkNow: 'Check now',
    resume: 'Continue to your bank',
    abandon: 'Use another card instead',
    back: 'Back to {merchant}',
    requestId: 'Reference',
    processing: {
      heading: 'Your payment is being processed',
      money: 'Your bank has not decided yet.',
      next: 'Please do not pay again. This page checks every few seconds by itself. You may also close it: {merchant} will learn the result.',
      at: 'Started',
    },
    requires_action: {
      heading: 'Your bank asks you to confirm',
      money: 'You have not been charged yet.',
      next: 'Continue to your bank to confirm this payment to {merchant}, or use another card.',
      at: 'Started',
    },
    unknown: {
      heading: 'We’re checking your payment',
      money: 'Do not pay again. We have no clear answer from your bank yet.',
      next: 'This page checks every few seconds. You can also close it: {merchant} gets the result.',
      at: 'Started',
    },
    paid: {
      heading: 'Paid. Thank you!',
      money: 'Your payment to {merchant} went through. Your card was charged once.',
      next: 'There is nothing more to do here. You can close this page.',
      at: 'Paid on',
    },
    failed: {
      heading: 'The payment did not go through',
      money: 'It was not accepted, and you have not been charged.',
      next: 'This link cannot be used again. To pay in another way, ask {merchant} for a new link.',
      at: 'Failed on',
    },
    expired: {
      heading: 'This payment link has expired',
      money: 'You have not been charged through this link.',
      next: 'If you still want to pay, ask {merchant} for a new link.',
      at: 'Expired on',
    },
    leaving: {
      heading: 'Taking you to {title}…',
      money: 'You pay there, and then come back to this page.',
      next: 'If nothing happens, press the button.',
      at: 'Started',
    },
    no_method: {
      heading: 'This payment cannot be made yet',
      money: 'You have not been charged.',
      next: '{merchant} offers no way to pay here at the moment. Please ask {merchant}.',
      at: 'Time',
    },
    cancelled: {
      heading: 'This payment link was cancelled',
      money: 'You have not been charged through this link.',
      next: 'If you did not expect this, ask {merchant}.',
      at: 'Cancelled on',
    },
    not_found: {
      heading: 'This payment link does not exist',
      money: 'Nothing can be paid at this address.',
      next: 'Check that the whole link was copied, or ask the shop that sent it to you for a new one.',
      at: 'Time',
    },
    error: {
      heading: 'Something went wrong on our side',
      money: 'This page cannot tell whether a payment went through.',
      next: 'Before you pay again, open your payment link again: it shows what happened. If this page comes back, tell the shop the reference below.',
      at: 'Time',
    },
    unavailable: {
      heading: 'We cannot open this page right now',
      money: 'This step has not charged you.',
      next: 'Wait a minute, then open your payment link again. If you have paid before, do not pay again: the link will show it.',
      at: 'Time',
    },
    checking: {
      heading: 'We’re checking your payment',
      money: 'Do not pay again. We cannot see the result at the moment.',
      next: 'This page checks every few seconds. You can also close it and open your payment link later: it shows what happened.',
      at: 'Time',
    },
    too_many: {
      heading: 'Too many tries in a short time',
      money: 'This try was not sent to your bank and has not been charged.',
      next: 'Wait a minute, then open your payment link again.',
      at: 'Time',
    },
  },
  there: {
    resume: 'Go on at {title}',
    abandon: 'Pay another way',
    kept: '{title} keeps this payment open until {until}. You can go on there, or come back then.',
    processing: {
      money: '{title} has not decided yet.',
    },
    requires_action: {
      heading: 'Your payment at {title} is not finished',
      next: 'Go on at {title} to pay {merchant}, or pay another way.',
    },
    unknown: {
      money: 'Do not pay again. We have no clear answer from {title} yet.',
    },
    paid: {
      money: 'Your payment to {merchant} went through. You paid once.',
    },
  },
  transfer: {
    heading: 'Please transfer {amount}',
    waiting: 'Nothing has arrived yet.',
    partly: '{received} has arrived. {due} is still to be sent.',
    arrived: 'All of it has arrived. We are recording the payment.',
    next: 'Order the transfer at your bank, exactly as it stands here. It usually takes 1–2 working days.',
    told: 'You can close this page. We will tell you by e-mail when the money has arrived.',
    untold: 'You can close this page, and open your payment link again to see whether the money has arrived.',
    holder: 'Recipient',
    iban: 'IBAN',
    bic: 'BIC',
    amount: 'Amount',
    reference: 'Reference',
    until: 'Must arrive by',
    copy: 'Copy',
    copyWhat: 'Copy: {label}',
    copied: 'Copied.',
    codeLabel: 'QR code with this transfer for banking apps',
    codeHint: 'Scan this code with your banking app, and it fills in the transfer.',
    abandonHint: 'Only if you have not ordered the transfer.',
  },
  shop: {
    name: 'Demo shop',
    about:
      'This page plays the part of a merchant’s own website. A real merchant shows a page of its own here.',
    success: {
      heading: 'Thank you for your order',
      lead: 'You are back at the shop, and your order is paid.',
    },
    failure: {
      heading: 'Your order is not paid',
      lead: 'You are back at the shop, and this order has not been paid.',
    },
    doubtful: {
      heading: 'You are back at the shop',
      lead: 'The shop cannot trust what the address of this page says, so it does not send anything yet.',
    },
    checkHeading: 'The signed result',
    verified: 'Verified: the signature matches the published key.',
    refused: 'Not verified.',
    contradiction: 'The signature is right, but the result says something else than the address you came to.',
    claimsHeading: 'What the result says',
    claim: 'Claim',
    value: 'Value',
    noClaims: 'There is no result to show.',
  },
};
