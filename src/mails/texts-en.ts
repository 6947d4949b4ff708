// Every English sentence of the emails. Its shape is required of each other language. Must not
// contain markup. `{names}` are placeholders for values, filled in escaped.

export const en = {
  test: 'TEST',
  testMode: 'Test mode: no real money moves.',
  labels: {
    refundingMerchant: 'From',
    paid: 'Paid',
    email: 'Email address',
    refundedAt: 'Refunded on',
    until: 'Expires',
    address: 'Webhook URL',
    endpoint: 'Endpoint',
    reason: 'Reason',
    failingSince: 'Failing since',
    disabledAt: 'Disabled on',
  },
  link: {
    subject: 'Payment request: {amount} to {merchant}',
    heading: 'Payment to {merchant}',
    lead: '{merchant} requests a payment of {amount}.',
    button: 'Pay {amount}',
    foot: '{merchant} sent you this link. If you did not expect it, ignore this email.',
  },
  reminder: {
    subject: 'Reminder: pay {amount} to {merchant}',
    heading: 'Reminder: {amount} is not paid yet',
    lead: 'Your link to pay {amount} to {merchant} expires on {until}.',
    button: 'Pay {amount}',
    foot: 'This is the only reminder. If you no longer want to pay, ignore this email.',
  },
  receipt: {
    subject: 'Receipt: {amount} to {merchant}',
    heading: 'Payment received',
    lead: '{merchant} has received your payment of {amount}.',
    foot: 'Questions about your order? Contact {merchant}.',
  },
  refund: {
    subject: 'Refund: {amount} from {merchant}',
    heading: 'Your refund of {amount}',
    lead: '{merchant} has refunded {amount} to the card you paid with. It can take a few days to appear on your statement.',
    leadOther:
      '{merchant} has refunded {amount} to the payment method you used. It can take a few days to appear on your statement.',
    foot: 'Questions about your order? Contact {merchant}.',
  },
  surplus: {
    subject: 'Refund: {amount} from {merchant}',
    heading: 'Your refund of {amount}',
    lead: 'Your card was charged {amount} more than {merchant} requested. The full {amount} was refunded to your card. It can take a few days to appear on your statement.',
    leadOther:
      'You paid {amount} more than {merchant} requested. The full {amount} was refunded to the payment method you used. It can take a few days to appear on your statement.',
    foot: 'You do not need to do anything. Questions? Contact {merchant}.',
  },
  notice: {
    subject: 'Payment received: {amount}, order {order}',
    heading: 'Payment received: {amount}',
    lead: 'A customer paid {amount} to {merchant}.',
    foot: 'You can turn off emails about payments in the settings of your company.',
  },
  endpoint: {
    subject: 'Webhook endpoint disabled: {host}',
    heading: 'Webhook endpoint disabled: {host}',
    lead: 'Paylink no longer sends webhooks of {merchant} to this URL. Payments are not affected. Once the URL responds with a 2xx status again, enable the endpoint: PATCH /v1/webhook-endpoints/{endpointId} with the status "enabled". Events are kept for 30 days and sent as soon as the endpoint is enabled. If you no longer need the endpoint, delete it.',
    foot: 'You receive this email because it concerns your integration, even if emails about payments are turned off.',
    reasons: {
      gone: 'The URL responded with 410 Gone, which means that it no longer accepts webhooks.',
      failing: 'Every webhook to this URL has failed for several days.',
      other: 'The endpoint was disabled.',
    },
  },
  password: {
    subject: 'Reset your Paylink password',
    heading: 'Reset your password',
    lead: 'Someone requested a password reset for your account at {merchant}. Use the button to set a new password. The link works once and expires on {until}. Setting a new password signs you out everywhere. Your second factor does not change.',
    button: 'Reset password',
    foot: 'If you did not request this, ignore this email: your password does not change. Never share this link.',
  },
  invitation: {
    subject: '{merchant} invites you to Paylink',
    heading: '{merchant} invites you',
    lead: '{merchant} accepts payments with Paylink and invites you to join its account. Use the button to choose a password. The invitation is valid until {until} and works once.',
    button: 'Accept invitation',
    foot: 'If you do not know the sender, ignore this email: nothing happens unless you accept. Do not forward this link: anyone who has it can join in your place.',
  },
  account: {
    changes: {
      password: {
        heading: 'Your password was changed',
        lead: 'The password of your account at {merchant} was changed on {at}. All other sessions were signed out.',
      },
      reset: {
        heading: 'Your password was reset',
        lead: 'The password of your account at {merchant} was reset on {at} with an emailed link. All sessions were signed out.',
      },
      totpAdded: {
        heading: 'An authenticator app was added',
        lead: 'An authenticator app was added to your account at {merchant} on {at}. Signing in now requires a code from the app.',
      },
      totpRemoved: {
        heading: 'An authenticator app was removed',
        lead: 'The authenticator app was removed from your account at {merchant} on {at}. Signing in no longer requires a code from the app.',
      },
      passkeyAdded: {
        heading: 'A passkey was added',
        lead: 'A passkey was added to your account at {merchant} on {at}. It can be used to sign in.',
      },
      passkeyRemoved: {
        heading: 'A passkey was removed',
        lead: 'A passkey was removed from your account at {merchant} on {at}. It can no longer be used to sign in.',
      },
      codes: {
        heading: 'New recovery codes were generated',
        lead: 'New recovery codes were generated for your account at {merchant} on {at}. Your old codes no longer work.',
      },
    },
    foot: 'If this was not you, reset your password immediately, sign out all sessions, and notify an owner of the company.',
  },
};
