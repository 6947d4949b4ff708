// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.

/** A parameter of the query that the service reads from text. */
export type QueryText = string | number | boolean | Date;

/** A problem document (RFC 9457) */
export type Problem = {
  /** An address that names the problem */
  type: string;
  /** The problem in a few words */
  title: string;
  /** The HTTP status */
  status: number;
  /** What to do about it */
  detail: string;
  /** This very occurrence */
  instance: string;
  /** What a program branches on */
  code: 'bad_request' | 'malformed_json' | 'missing_credentials' | 'invalid_token' | 'expired_token' | 'invalid_api_key' | 'invalid_company_id' | 'wrong_login' | 'credentials_mismatch' | 'role_not_allowed' | 'not_found' | 'method_not_allowed' | 'request_timeout' | 'order_conflict' | 'payment_in_progress' | 'payment_ended' | 'not_refundable' | 'refund_too_large' | 'stale_remaining' | 'body_too_large' | 'unsupported_media_type' | 'invalid_fields' | 'rate_limited' | 'login_paused' | 'headers_too_large' | 'internal_error' | 'unavailable';
  /** The request, as the log knows it */
  requestId: string;
  /** The fields or headers that do not pass */
  errors: {
    field: string;
    code: string;
    detail: string;
  }[];
  /** @deprecated The HTTP status as text */
  responseCode: string;
  /** The same as title */
  responseMessage: string;
};

/** Every operation: what it takes and what it answers. */
export type Operations = {
  /** Whether the process is alive */
  getHealth: {
    input: Record<string, never>;
    answer: {
      status: string;
    };
  };
  /** Whether the process takes traffic: not stopping, and its database answers */
  getReadiness: {
    input: Record<string, never>;
    answer: {
      status: string;
    };
  };
  /** Authenticate and retrieve a bearer token and the credential headers */
  logIn: {
    input: {
      body: {
        /** Account e-mail address */
        email: string;
        /** Account password */
        password: string;
      };
    };
    answer: {
      /** Account e-mail address */
      email: string;
      /** Account identifier */
      accountId: string;
      /** Roles of the account */
      roles: string[];
      /** Bearer token for later calls, good for 60 minutes */
      token: string;
      /** Path to redirect to after login */
      redirectPath: string;
      /** When the token ends; RFC 3339, UTC */
      expiresAt: string;
    };
  };
  /** The public keys (RFC 7517) that verify tokens and payment results */
  getKeySet: {
    input: Record<string, never>;
    answer: {
      keys: Record<string, string>[];
    };
  };
  /** Process a payment transaction and obtain a payment link */
  processPayment: {
    input: {
      body: {
        /** Customer first name */
        firstName?: string | undefined;
        /** Customer last name */
        lastName?: string | undefined;
        /** Merchant reference for the order, unique while a link for it is live or paid; a UUID is recommended */
        customerOrderId: string;
        /** Customer e-mail address */
        email: string;
        /** Invoice amount in major units, at most 2 decimals */
        amount: number;
        /** ISO 4217 code */
        currency: 'USD' | 'EUR';
        /** Customer phone number */
        phone?: string | undefined;
        /** Address the service redirects the user to after a successful payment */
        success_url: string;
        /** Address the service redirects the user to after a failed payment */
        failure_url: string;
        /** What is paid for, shown to the customer */
        description?: string | undefined;
        /** When the link ends; RFC 3339, 5 minutes to 180 days ahead. Without it: 7 days */
        expiresAt?: string | undefined;
        /** Language of the page (BCP 47). Without it the customer’s browser decides */
        locale?: string | undefined;
        /** Up to 20 pairs of your own; names up to 40 and values up to 500 characters */
        metadata?: Record<string, string> | undefined;
      };
    };
    answer: {
      /** Country of the request; ISO 3166-1 alpha-2 */
      country: string;
      /** Date created; RFC 3339, UTC */
      CreatedOn: string;
      /** Currency of the payment request */
      currency: string;
      /** Merchant reference echoed from the request */
      customerOrderId: string;
      /** Address where the user is sent to pay */
      PaymentLink: string;
      /** Identification of the requested payment */
      PaymentLinkCode: string;
      /** @deprecated The HTTP status as text */
      responseCode: string;
      /** Any message returned from the request */
      responseMessage: string;
      /** Amount in major units */
      amount: number;
      /** State of the payment */
      status: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';
      /** What has been given back, in major units */
      refundedAmount: number;
      /** Whether real money moves */
      mode: 'test' | 'live';
      /** Customer e-mail address */
      email: string;
      /** Customer first name */
      firstName: string | null;
      /** Customer last name */
      lastName: string | null;
      /** Customer phone number as it was sent */
      phone: string | null;
      success_url: string;
      failure_url: string;
      /** What is paid for */
      description: string | null;
      /** Language of the page */
      locale: string | null;
      metadata: Record<string, string>;
      /** When the link ends; RFC 3339, UTC */
      expiresAt: string;
    };
  };
  /** Look at a payment */
  getPayment: {
    input: {
      path: {
        code: string;
      };
    };
    answer: {
      /** Country of the request; ISO 3166-1 alpha-2 */
      country: string;
      /** Date created; RFC 3339, UTC */
      CreatedOn: string;
      /** Currency of the payment request */
      currency: string;
      /** Merchant reference echoed from the request */
      customerOrderId: string;
      /** Address where the user is sent to pay */
      PaymentLink: string;
      /** Identification of the requested payment */
      PaymentLinkCode: string;
      /** @deprecated The HTTP status as text */
      responseCode: string;
      /** Any message returned from the request */
      responseMessage: string;
      /** Amount in major units */
      amount: number;
      /** State of the payment */
      status: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';
      /** What has been given back, in major units */
      refundedAmount: number;
      /** Whether real money moves */
      mode: 'test' | 'live';
      /** Customer e-mail address */
      email: string;
      /** Customer first name */
      firstName: string | null;
      /** Customer last name */
      lastName: string | null;
      /** Customer phone number as it was sent */
      phone: string | null;
      success_url: string;
      failure_url: string;
      /** What is paid for */
      description: string | null;
      /** Language of the page */
      locale: string | null;
      metadata: Record<string, string>;
      /** When the link ends; RFC 3339, UTC */
      expiresAt: string;
    };
  };
  /** Cancel an open payment */
  cancelPayment: {
    input: {
      path: {
        code: string;
      };
    };
    answer: {
      /** Country of the request; ISO 3166-1 alpha-2 */
      country: string;
      /** Date created; RFC 3339, UTC */
      CreatedOn: string;
      /** Currency of the payment request */
      currency: string;
      /** Merchant reference echoed from the request */
      customerOrderId: string;
      /** Address where the user is sent to pay */
      PaymentLink: string;
      /** Identification of the requested payment */
      PaymentLinkCode: string;
      /** @deprecated The HTTP status as text */
      responseCode: string;
      /** Any message returned from the request */
      responseMessage: string;
      /** Amount in major units */
      amount: number;
      /** State of the payment */
      status: 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled';
      /** What has been given back, in major units */
      refundedAmount: number;
      /** Whether real money moves */
      mode: 'test' | 'live';
      /** Customer e-mail address */
      email: string;
      /** Customer first name */
      firstName: string | null;
      /** Customer last name */
      lastName: string | null;
      /** Customer phone number as it was sent */
      phone: string | null;
      success_url: string;
      failure_url: string;
      /** What is paid for */
      description: string | null;
      /** Language of the page */
      locale: string | null;
      metadata: Record<string, string>;
      /** When the link ends; RFC 3339, UTC */
      expiresAt: string;
    };
  };
  /** Give a payment back, in part or in full */
  refundPayment: {
    input: {
      path: {
        code: string;
      };
      body: {
        /** What to give back, in major units; without it, all that is left */
        amount?: number | undefined;
        /** What you believe is left, in major units; 412 when it is not so */
        expectedRemaining?: number | undefined;
        /** For your own records */
        reason?: string | undefined;
      };
    };
    answer: {
      /** Identification of the refund */
      refundId: string;
      /** Amount in major units */
      amount: number;
      /** ISO 4217 code */
      currency: string;
      status: 'created' | 'processing' | 'unknown' | 'succeeded' | 'failed';
      /** surplus: money that nobody owed */
      kind: 'merchant' | 'surplus';
      /** For your own records */
      reason: string | null;
      /** Why the processor refused it */
      failureCode: string | null;
      /** Date created; RFC 3339, UTC */
      CreatedOn: string;
    };
  };
  /** The refunds of a payment, oldest first */
  listRefunds: {
    input: {
      path: {
        code: string;
      };
    };
    answer: {
      data: ({
        /** Identification of the refund */
        refundId: string;
        /** Amount in major units */
        amount: number;
        /** ISO 4217 code */
        currency: string;
        status: 'created' | 'processing' | 'unknown' | 'succeeded' | 'failed';
        /** surplus: money that nobody owed */
        kind: 'merchant' | 'surplus';
        /** For your own records */
        reason: string | null;
        /** Why the processor refused it */
        failureCode: string | null;
        /** Date created; RFC 3339, UTC */
        CreatedOn: string;
      })[];
      /** Where the next page starts; null on the last */
      nextCursor: string | null;
    };
  };
  /** What could not be settled for days, or was refused, and waits for a person */
  listCases: {
    input: Record<string, never>;
    answer: {
      data: ({
        /** The payment it belongs to */
        PaymentLinkCode: string;
        /** The attempt that waits, or whose money does */
        attemptId: string;
        /** The refund that waits; null when the attempt does */
        refundId: string | null;
        /** failed: the processor refuses to send back what nobody owed */
        status: 'created' | 'requires_action' | 'processing' | 'unknown' | 'failed';
        processor: string;
        /** The processor’s own reference, when it gave one */
        processorReference: string | null;
        /** Amount in major units */
        amount: number;
        /** ISO 4217 code */
        currency: string;
        /** Why the processor refused the refund */
        failureCode: string | null;
        /** When the attempt or refund began; RFC 3339, UTC */
        CreatedOn: string;
        /** When it was handed to a person; RFC 3339, UTC */
        escalatedAt: string;
      })[];
      /** Where the next page starts; null on the last */
      nextCursor: string | null;
    };
  };
};
