// The methods of the Python client by resource, each with its operation: the same as the resources of the SDK for
// Node (a test compares the two). `generate-python.ts` writes the classes from this table.

/** An operation, or one that answers the `data` of a list that has no pages. */
export type Method = string | { operation: string; answers: 'data' };

export type Resource = { className: string; about: string; methods: Record<string, Method> };

export const resources: Readonly<Record<string, Resource>> = {
  payments: {
    className: 'Payments',
    about: 'Payments, their refunds, events and deliveries.',
    methods: {
      create: 'processPayment',
      list: 'listPayments',
      get: 'getPayment',
      send_link: 'sendPaymentLink',
      update: 'updatePayment',
      cancel: 'cancelPayment',
      refund: 'refundPayment',
      list_refunds: 'listRefunds',
      list_events: 'listPaymentEvents',
      list_deliveries: 'listPaymentDeliveries',
      qr: 'drawQrCode',
      export: 'exportPayments',
    },
  },
  refunds: {
    className: 'Refunds',
    about: 'The refunds of all payments.',
    methods: { list: 'findRefunds', get: 'getRefund' },
  },
  overview: {
    className: 'Overviews',
    about: 'The figures of the overview.',
    methods: { get: 'getOverview' },
  },
  cases: {
    className: 'Cases',
    about: 'Cases that wait for a person.',
    methods: { list: 'listCases', close: 'closeCase' },
  },
  events: {
    className: 'Events',
    about: 'The event feed and the audit log.',
    methods: { list: 'listEvents', list_audit: 'listAuditEvents' },
  },
  balances: {
    className: 'Balances',
    about: 'The balances of the ledger.',
    methods: { list: 'listBalances' },
  },
  ledger: {
    className: 'Ledger',
    about: 'The entries of the ledger.',
    methods: { entries: 'listLedgerEntries' },
  },
  api_keys: {
    className: 'ApiKeys',
    about: 'The API keys of the company.',
    methods: { list: 'listApiKeys', create: 'createApiKey', roll: 'rollApiKey', revoke: 'revokeApiKey' },
  },
  service_keys: {
    className: 'ServiceKeys',
    about: 'The service keys of the company.',
    methods: {
      list: 'listServiceKeys',
      get: 'getServiceKey',
      create: 'createServiceKey',
      change: 'changeServiceKey',
      roll: 'rollServiceKey',
      revoke: 'revokeServiceKey',
    },
  },
  requests: {
    className: 'Requests',
    about: 'The log of the calls of the company.',
    methods: { list: 'listRequests', get: 'getRequest' },
  },
  me: {
    className: 'OwnAccount',
    about: 'The account of this client, and its sessions.',
    methods: {
      get: 'getMe',
      change_password: 'changePassword',
      log_out: 'logOut',
      list_sessions: 'listSessions',
      end_session: 'endSession',
      end_other_sessions: 'endOtherSessions',
    },
  },
  access: {
    className: 'OwnAccess',
    about: "What this client's credentials may do.",
    methods: { get: 'getAccess' },
  },
  second_factors: {
    className: 'SecondFactors',
    about: "The account's second factors. A client that logs in by itself needs an account without any.",
    methods: {
      get: 'getSecondFactors',
      begin_totp: 'beginTotp',
      confirm_totp: 'confirmTotp',
      remove_totp: 'removeTotp',
      begin_passkey: 'beginPasskey',
      add_passkey: 'addPasskey',
      remove_passkey: 'removePasskey',
      make_recovery_codes: 'makeRecoveryCodes',
    },
  },
  members: {
    className: 'Members',
    about: 'The members of the company.',
    methods: {
      list: 'listMembers',
      invite: 'inviteMember',
      change: 'changeMember',
      remove: 'removeMember',
    },
  },
  invitations: {
    className: 'Invitations',
    about: 'Invitations to the company.',
    methods: { list: 'listInvitations', revoke: 'revokeInvitation', accept: 'acceptInvitation' },
  },
  password_resets: {
    className: 'PasswordResets',
    about: "Forgotten passwords. They need no credentials: this client's are not sent.",
    methods: { ask: 'askPasswordReset', accept: 'acceptPasswordReset' },
  },
  company: {
    className: 'OwnCompany',
    about: 'The settings of the company.',
    methods: {
      get: 'getCompany',
      change: 'changeCompany',
      upload_logo: 'uploadLogo',
      delete_logo: 'deleteLogo',
      preview: 'previewPage',
    },
  },
  processors: {
    className: 'Processors',
    about: 'Processors, and the connections to them.',
    methods: {
      list: { operation: 'listProcessors', answers: 'data' },
      list_connections: { operation: 'listProcessorConnections', answers: 'data' },
      get_connection: 'getProcessorConnection',
      connect: 'createProcessorConnection',
      change_connection: 'updateProcessorConnection',
      check_connection: 'checkProcessorConnection',
      order_connections: { operation: 'orderProcessorConnections', answers: 'data' },
      remove_connection: 'deleteProcessorConnection',
    },
  },
  bank: {
    className: 'Bank',
    about: 'Bank statements, bookings to resolve, and refunds to send by hand.',
    methods: {
      import_statement: 'importBankStatement',
      list_statements: 'listBankStatements',
      get_statement: 'getBankStatement',
      list_lines: 'listBankLines',
      resolve_line: 'resolveBankLine',
      list_refunds: 'listBankRefunds',
      resolve_refund: 'resolveBankRefund',
    },
  },
  webhook_endpoints: {
    className: 'WebhookEndpoints',
    about: 'Webhook endpoints.',
    methods: {
      list: 'listWebhookEndpoints',
      create: 'createWebhookEndpoint',
      get: 'getWebhookEndpoint',
      update: 'updateWebhookEndpoint',
      remove: 'deleteWebhookEndpoint',
      roll_secret: 'rollWebhookSecret',
      test: 'testWebhookEndpoint',
      resend_since: 'resendWebhookDeliveries',
      list_deliveries: 'listWebhookDeliveries',
    },
  },
  webhook_deliveries: {
    className: 'WebhookDeliveries',
    about: 'Webhook deliveries.',
    methods: {
      get: 'getWebhookDelivery',
      resend: 'resendWebhookDelivery',
      preview: 'getEventWebhook',
    },
  },
  test_clock: {
    className: 'TestClocks',
    about: 'The time of the company in test mode.',
    methods: { get: 'getTestClock', advance: 'advanceTestClock' },
  },
  test_payments: {
    className: 'TestPayments',
    about: 'Brings payments of test mode into a state.',
    methods: {
      open: 'testOpenPayment',
      pay: 'testPayPayment',
      decline: 'testDeclinePayment',
      process: 'testProcessPayment',
      settle: 'testSettlePayment',
      expire: 'testExpirePayment',
      cancel: 'testCancelPayment',
      request_link: 'testRequestPaymentLink',
      refund: 'testRefundPayment',
      overpay: 'testOverpayPayment',
      transfer: 'testTransferPayment',
      escalate: 'testEscalatePayment',
    },
  },
  test_events: {
    className: 'TestEvents',
    about: 'Causes events in test mode.',
    methods: { cause: 'causeTestEvent' },
  },
};
