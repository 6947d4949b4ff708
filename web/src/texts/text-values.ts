// The values of the dashboard's texts, generated from en.json by `npm run goldens`.

export type TextValues = {
  common: {
    labelled: { label: string; value: string };
  };
  shell: {
    testClock: { time: string };
  };
  signIn: {
    sent: { email: string };
  };
  overview: {
    figures: {
      payments: { count: number };
      refunds: { count: number };
      converted: { paid: number; created: number };
      links: { count: number };
      createdIn: { count: number };
      summary: { currency: string; paid: string; created: number };
      from: { time: string };
    };
    attention: {
      cases: { count: number };
      unknown: { count: number };
      failing: { count: number };
      disabled: { count: number };
      expiring: { count: number };
      expires: { time: string };
    };
  };
  payments: {
    chips: {
      currency: { value: string };
      amountFrom: { from: string };
      amountTo: { to: string };
      amount: { from: string; to: string };
      createdFrom: { from: string };
      createdTo: { to: string };
      created: { from: string; to: string };
      customerOrderId: { value: string };
      email: { value: string };
      remove: { chip: string };
    };
    shown: { count: number };
    shownMore: { count: number };
    stillSearching: { count: number };
    export: {
      running: { count: number; size: string };
      done: { count: number };
    };
  };
  payment: {
    title: { amount: string };
    states: {
      open: { expires: string };
    };
    refundedOf: { refunded: string; left: string };
    items: { count: number };
    includedTax: { rate: string };
    metadata: { count: number };
    refundHint: { left: string };
    refundTooLarge: { left: string };
    refundAmount: { currency: string };
    refundAction: { amount: string };
    refundDone: {
      succeeded: { amount: string };
      processing: { amount: string };
      unknown: { amount: string };
      failed: { amount: string };
    };
    attempt: { number: number };
    because: { reason: string };
    newExpiry: { expires: string };
    newMetadata: { names: string };
    partOf: { part: string; left: string };
    attempts: { count: number };
  };
  link: {
    sent: { email: string };
  };
  newLink: {
    pairName: { number: number };
    pairValue: { number: number };
    removePair: { number: number };
    paid: { amount: string };
    amountOf: { amount: string; order: string };
  };
  balances: {
    sides: { debit: string; credit: string };
  };
  webhooks: {
    chosenCount: { count: number };
    failingSince: { time: string };
  };
  deliveries: {
    momentHint: { zone: string };
    resentCount: { count: number };
  };
  processors: {
    connected: { title: string };
    lastReceived: { time: string };
    toComplete: { fields: string };
    moveUp: { title: string };
    moveDown: { title: string };
    moved: { title: string; position: number };
    checked: { holder: string };
    switchedOff: { title: string };
    switchedOn: { title: string };
    deleteTitle: { title: string };
    changeTitle: { title: string };
  };
  keys: {
    by: { member: string };
    ofKey: { name: string };
  };
  team: {
    linkFor: { email: string; time: string };
    revokeHint: { email: string };
    changeFor: { email: string };
    removeHint: { email: string };
  };
  settings: {
    contrast: { ratio: string };
    useShade: { color: string };
    origin: { number: number };
    removeOrigin: { origin: string };
    reminderBefore: { count: number };
    clockReal: { time: string };
  };
  identity: {
    refusedFile: { reason: string };
  };
  start: {
    progress: { done: number; all: number };
  };
  operation: {
    readAt: { time: string };
    oldestFor: { time: string };
    unknown: { mode: string };
    caseKinds: {
      attempt: { count: number };
      refund: { count: number };
      currency_mismatch: { count: number };
      refund_exceeds_payment: { count: number };
    };
  };
  account: {
    appOn: { time: string };
    codesLeft: { count: number };
    codesFileHead: { email: string };
    removePasskeyHint: { name: string };
    endSessionOf: { moment: string };
  };
  actors: {
    serviceKey: { keyId: string };
  };
  problems: {
    wait: { minutes: number };
  };
  processorFields: {
    paypal: {
      webhookId: {
        help: { events: string };
      };
    };
    stripe: {
      webhookSecret: {
        help: { events: string };
      };
    };
  };
};
