// What the filters of the audit log offer, in order: the name in the texts, and the filter in the API's form.

export const kindFilters = {
  all: '',
  payments: 'payment.*',
  attempts: 'attempt.*',
  refunds: 'refund.*',
  sessions: 'session*',
  passwords: 'password.*',
  secondFactors: 'second_factor.*',
  members: 'member.*',
  keys: 'key.*',
  serviceKeys: 'service_key.*',
  webhooks: 'webhook_*',
  connections: 'connection.*',
  company: 'company.*',
  exports: 'payments.exported',
  bank: 'bank.*',
} as const;

export const peopleFilters = {
  all: '',
  members: 'account:*',
  serviceKeys: 'key:*',
  customers: 'customer',
  processors: 'processor:*',
  jobs: 'job:*',
} as const;
