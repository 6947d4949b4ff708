// Every English sentence of the emails and of the receipt. Its shape is required of each other language. Must not
// contain markup. `{names}` are placeholders for values, filled in escaped.

export const en = {
  test: 'TEST',
  testMode: 'Test mode: no real money moves.',
  labels: {
    merchant: 'To',
    refundingMerchant: 'From',
    amount: 'Amount',
    paid: 'Paid',
    refunded: 'Given back',
    order: 'Order',
    description: 'For',
    customer: 'Customer',
    email: 'E-mail address',
    card: 'Card',
    paidWith: 'Paid with',
    paidAt: 'Paid on',
    refundedAt: 'Given back on',
    until: 'Payable until',
    reference: 'Payment',
    address: 'Webhook address',
    endpoint: 'Endpoint',
    reason: 'Reason',
    failingSince: 'Failing since',
    switchedOffAt: 'Switched off on',
  },
  cardEnding: '{brand} ending in {last4}',
  cardEndingOnly: 'ending in {last4}',
  transfer: 'Bank transfer',
  link: {
    subject: '{merchant}: please pay {amount}',
    heading: 'Payment to {merchant}',
    lead: '{merchant} asks you to pay {amount}.',
    button: 'Pay {amount}',
    foot: '{merchant} had this link sent to you. If you do not expect it, you need not do anything.',
  },
  reminder: {
    subject: '{merchant}: {amount} is still to be paid',
    heading: 'Not paid yet: {amount}',
    lead: 'The link to pay {amount} to {merchant} ends on {until}.',
    button: 'Pay {amount}',
    foot: 'This is the only reminder. If you have changed your mind, you need not do anything.',
  },
  receipt: {
    subject: 'Receipt: {amount} to {merchant}',
    heading: 'Thank you, this is paid',
    lead: '{merchant} has received your payment of {amount}. The receipt is attached.',
    foot: 'Questions about the order? Please ask {merchant}.',
  },
  refund: {
    subject: 'Given back: {amount} by {merchant}',
    heading: '{amount} comes back to you',
    lead: '{merchant} has given back {amount} to the card that you paid with. Until your bank shows it, some days may pass. The receipt is attached.',
    leadThere:
      '{merchant} has given back {amount}, the way that you paid. Until your bank shows it, some days may pass. The receipt is attached.',
    foot: 'Questions about the order? Please ask {merchant}.',
  },
  surplus: {
    subject: '{merchant}: {amount} was sent back to you',
    heading: '{amount} comes back to you',
    lead: 'Your card was charged {amount} that {merchant} did not ask for. All of it was sent back to the card. Until your bank shows it, some days may pass.',
    leadThere:
      'You paid {amount} that {merchant} did not ask for. All of it was sent back, the way that you paid. Until your bank shows it, some days may pass.',
    foot: 'You need not do anything. Questions? Please ask {merchant}.',
  },
  notice: {
    subject: 'Paid: {amount}, order {order}',
    heading: '{amount} was paid',
    lead: 'A customer of {merchant} has paid {amount}.',
    foot: 'Mails about payments can be switched off for the company.',
  },
  endpoint: {
    subject: 'Webhooks to {host} are switched off',
    heading: 'Webhooks to {host} are switched off',
    lead: '{merchant} gets no more webhooks at this address. Payments go on as before. Once the address answers again with a status of 2xx, switch the endpoint on: PATCH /v1/webhook-endpoints/{endpointId} with the status "enabled". What happens until then is kept for 30 days, and is sent as soon as the endpoint is on. If you do not need it any more, delete it.',
    foot: 'This mail is about the operation of your integration, and comes even where mails about payments are switched off.',
    reasons: {
      gone: 'The address answered 410 Gone, which says that nobody wants webhooks there any more.',
      failing: 'Every webhook to the address has failed for days.',
      other: 'It was switched off.',
    },
  },
  password: {
    subject: 'Your new password for Paylink',
    heading: 'Set a new password',
    lead: 'Somebody asked for a new password for your account at {merchant}. The button leads to where you set it, until {until} and once. Then all your sessions end; a second factor stays as it is.',
    button: 'Set a new password',
    foot: 'If that was not you, you need not do anything: your password stays as it is. Never pass this link on.',
  },
  invitation: {
    subject: '{merchant} invites you to Paylink',
    heading: '{merchant} invites you',
    lead: '{merchant} takes payments with Paylink and invites you to its account there. The button opens a page where you choose a password. The invitation is valid until {until} and can be used once.',
    button: 'Accept the invitation',
    foot: 'If you do not know the sender, ignore this mail: nothing happens unless you accept. Do not forward the link: whoever has it can join in your place.',
  },
  account: {
    changes: {
      password: {
        heading: 'Your password was changed',
        lead: 'The password of your account at {merchant} was changed on {at}. All other sessions of the account have ended.',
      },
      reset: {
        heading: 'Your password was set anew',
        lead: 'On {at} a new password for your account at {merchant} was set by the link that had been mailed to you. All sessions of the account have ended.',
      },
      totpAdded: {
        heading: 'An authenticator app was added',
        lead: 'Since {at} signing in to your account at {merchant} asks for a code of an authenticator app.',
      },
      totpRemoved: {
        heading: 'The authenticator app was removed',
        lead: 'Since {at} signing in to your account at {merchant} asks for no code of an authenticator app any more.',
      },
      passkeyAdded: {
        heading: 'A passkey was added',
        lead: 'On {at} a passkey was added to your account at {merchant}. Whoever has it can sign in.',
      },
      passkeyRemoved: {
        heading: 'A passkey was removed',
        lead: 'On {at} a passkey was removed from your account at {merchant}. It signs nobody in any more.',
      },
      codes: {
        heading: 'New recovery codes were made',
        lead: 'On {at} new recovery codes were made for your account at {merchant}. Those of before are good no more.',
      },
    },
    foot: 'If that was not you, set a new password at once, end all sessions of the account, and tell an owner of the company.',
  },
  pdf: {
    receipt: 'Receipt',
    refund: 'Receipt for a refund',
    file: 'receipt',
    fileRefund: 'refund',
    foot: 'This confirms that money moved. It is not an invoice.',
    test: 'TEST – no real money moves',
  },
};
