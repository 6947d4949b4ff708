// What paying has to know of a company: the values of a company without settings of its own.

export const testMerchant = {
  name: 'Café Zürich',
  retryPolicy: 'fixable',
  statementDescriptor: null,
} as const;
