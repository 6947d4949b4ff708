// The operations on access as methods: service keys, API keys, the own account, members, invitations, the company. One line
// each, typed from openapi.json, without logic.

import type { Answer, CallOptions, Input, Request } from './call.ts';
import { type List, listPages } from './pages.ts';

export type PageQuery = NonNullable<Input<'listMembers'>['query']>;
export type LogoQuery = NonNullable<Input<'uploadLogo'>['query']>;
export type ApiKey = Answer<'listApiKeys'>['data'][number];
export type NewApiKey = Answer<'createApiKey'>;
export type ServiceKey = Answer<'getServiceKey'>;
export type NewServiceKey = Answer<'createServiceKey'>;
export type ServiceKeyChange = Input<'changeServiceKey'>['body'];
export type Access = Answer<'getAccess'>;
export type Me = Answer<'getMe'>;
export type Session = Answer<'listSessions'>['data'][number];
export type Member = Answer<'listMembers'>['data'][number];
export type Roles = Input<'changeMember'>['body']['roles'];
export type Invitation = Answer<'listInvitations'>['data'][number];
export type NewInvitation = Answer<'inviteMember'>;
export type NewMember = Answer<'acceptInvitation'>;
export type Company = Answer<'getCompany'>;
export type CompanyChange = Input<'changeCompany'>['body'];
export type RequestQuery = NonNullable<Input<'listRequests'>['query']>;
export type ApiRequest = Answer<'listRequests'>['data'][number];
export type ApiRequestDetails = Answer<'getRequest'>;
export type PagePreview = Answer<'previewPage'>;

/** The account's password, which operations that weaken the account require again. */
type Password = Input<'removeTotp'>['body'];

export type ApiKeys = {
  list(query?: PageQuery, options?: CallOptions): List<ApiKey>;
  /** Only this response shows the `key`. */
  create(key?: Input<'createApiKey'>['body'], options?: CallOptions): Promise<NewApiKey>;
  /** Creates a key that replaces another one, which stays valid for some hours. */
  roll(keyId: string, roll?: Input<'rollApiKey'>['body'], options?: CallOptions): Promise<NewApiKey>;
  revoke(keyId: string, options?: CallOptions): Promise<ApiKey>;
};

/** Service keys are made by an account, never by a service key. */
export type ServiceKeys = {
  list(query?: PageQuery, options?: CallOptions): List<ServiceKey>;
  get(keyId: string, options?: CallOptions): Promise<ServiceKey>;
  /** Only this response shows the `key`. */
  create(key: Input<'createServiceKey'>['body'], options?: CallOptions): Promise<NewServiceKey>;
  /** Changes the name or the allowed addresses. */
  change(keyId: string, change: ServiceKeyChange, options?: CallOptions): Promise<ServiceKey>;
  /** Creates a key that replaces another one, which stays valid for some hours. */
  roll(keyId: string, roll?: Input<'rollServiceKey'>['body'], options?: CallOptions): Promise<NewServiceKey>;
  revoke(keyId: string, options?: CallOptions): Promise<ServiceKey>;
};

export type OwnAccount = {
  get(options?: CallOptions): Promise<Me>;
  /**
   * Ends all other sessions of the account. A client that logs in by itself continues with the new password.
   */
  changePassword(passwords: Input<'changePassword'>['body'], options?: CallOptions): Promise<void>;
  /** Ends the session of this client; its next call logs in again. */
  logOut(options?: CallOptions): Promise<void>;
  listSessions(query?: PageQuery, options?: CallOptions): List<Session>;
  endSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** Ends all sessions of the account except this client's. */
  endOtherSessions(options?: CallOptions): Promise<void>;
};

export type OwnAccess = {
  /** The mode of this client's credentials, and their rights: the scopes of a service key. */
  get(options?: CallOptions): Promise<Access>;
};

export type SecondFactors = {
  get(options?: CallOptions): Promise<Answer<'getSecondFactors'>>;
  /** Generates a secret for an authenticator app. It is shown only once. */
  beginTotp(password: Password, options?: CallOptions): Promise<Answer<'beginTotp'>>;
  /** Enables the app. The first factor returns recovery codes, which are shown only once. */
  confirmTotp(otp: string, options?: CallOptions): Promise<Answer<'confirmTotp'>>;
  removeTotp(password: Password, options?: CallOptions): Promise<void>;
  /** The data from which a browser creates a passkey. */
  beginPasskey(password: Password, options?: CallOptions): Promise<Answer<'beginPasskey'>>;
  /** Adds a passkey that a browser created. */
  addPasskey(passkey: Input<'addPasskey'>['body'], options?: CallOptions): Promise<Answer<'addPasskey'>>;
  removePasskey(passkeyId: string, password: Password, options?: CallOptions): Promise<void>;
  /** The old codes no longer work. */
  makeRecoveryCodes(password: Password, options?: CallOptions): Promise<Answer<'makeRecoveryCodes'>>;
};

export type Members = {
  list(query?: PageQuery, options?: CallOptions): List<Member>;
  /** Pass the `url` of the response to the person. */
  invite(invitation: Input<'inviteMember'>['body'], options?: CallOptions): Promise<NewInvitation>;
  /** Replaces a member's roles. */
  change(accountId: string, roles: Roles, options?: CallOptions): Promise<Member>;
  remove(accountId: string, options?: CallOptions): Promise<void>;
};

export type Invitations = {
  list(query?: PageQuery, options?: CallOptions): List<Invitation>;
  revoke(invitationId: string, options?: CallOptions): Promise<void>;
  /** Creates the account of an invitation. It needs no credentials: this client's are not sent. */
  accept(acceptance: Input<'acceptInvitation'>['body'], options?: CallOptions): Promise<NewMember>;
};

export type PasswordResets = {
  /** Emails a link to the account if it exists; the response does not reveal this. */
  ask(email: string, options?: CallOptions): Promise<void>;
  /**
   * Sets a new password with the token of a link. Ends all sessions of the account, including this client's.
   */
  accept(acceptance: Input<'acceptPasswordReset'>['body'], options?: CallOptions): Promise<void>;
};

export type OwnCompany = {
  get(options?: CallOptions): Promise<Company>;
  change(change: CompanyChange, options?: CallOptions): Promise<Company>;
  /** Uploads the logo, a `Blob` with the type `image/png` or `image/svg+xml`. */
  uploadLogo(file: Input<'uploadLogo'>['body'], query?: LogoQuery, options?: CallOptions): Promise<Company>;
  /** Deletes the uploaded logo with its dark variant, or with `variant: 'dark'` only that. */
  deleteLogo(query?: LogoQuery, options?: CallOptions): Promise<Company>;
  /** A hosted page with a design that is not saved. */
  preview(look?: Input<'previewPage'>['body'], options?: CallOptions): Promise<PagePreview>;
};

export type Requests = {
  /** The calls of the last 7 days that match the filters, newest first. */
  list(query?: RequestQuery, options?: CallOptions): List<ApiRequest>;
  /** The call with this request ID, with its bodies as far as the log shows them. */
  get(requestId: string, options?: CallOptions): Promise<ApiRequestDetails>;
};

export function apiKeysOf(request: Request): ApiKeys {
  return {
    list: (query, options) =>
      listPages((place) => request('listApiKeys', { query: { ...query, ...place } }, options)),
    create: (body = {}, options) => request('createApiKey', { body }, options),
    roll: (keyId, body = {}, options) => request('rollApiKey', { path: { keyId }, body }, options),
    revoke: (keyId, options) => request('revokeApiKey', { path: { keyId } }, options),
  };
}

export function serviceKeysOf(request: Request): ServiceKeys {
  return {
    list: (query, options) =>
      listPages((place) => request('listServiceKeys', { query: { ...query, ...place } }, options)),
    get: (keyId, options) => request('getServiceKey', { path: { keyId } }, options),
    create: (body, options) => request('createServiceKey', { body }, options),
    change: (keyId, body, options) => request('changeServiceKey', { path: { keyId }, body }, options),
    roll: (keyId, body = {}, options) => request('rollServiceKey', { path: { keyId }, body }, options),
    revoke: (keyId, options) => request('revokeServiceKey', { path: { keyId } }, options),
  };
}

export function ownAccountOf(request: Request): OwnAccount {
  return {
    get: (options) => request('getMe', {}, options),
    changePassword: (body, options) => request('changePassword', { body }, options),
    logOut: (options) => request('logOut', {}, options),
    listSessions: (query, options) =>
      listPages((place) => request('listSessions', { query: { ...query, ...place } }, options)),
    endSession: (sessionId, options) => request('endSession', { path: { sessionId } }, options),
    endOtherSessions: (options) => request('endOtherSessions', {}, options),
  };
}

export function ownAccessOf(request: Request): OwnAccess {
  return {
    get: (options) => request('getAccess', {}, options),
  };
}

export function secondFactorsOf(request: Request): SecondFactors {
  return {
    get: (options) => request('getSecondFactors', {}, options),
    beginTotp: (body, options) => request('beginTotp', { body }, options),
    confirmTotp: (otp, options) => request('confirmTotp', { body: { otp } }, options),
    removeTotp: (body, options) => request('removeTotp', { body }, options),
    beginPasskey: (body, options) => request('beginPasskey', { body }, options),
    addPasskey: (body, options) => request('addPasskey', { body }, options),
    removePasskey: (passkeyId, body, options) =>
      request('removePasskey', { path: { passkeyId }, body }, options),
    makeRecoveryCodes: (body, options) => request('makeRecoveryCodes', { body }, options),
  };
}

export function membersOf(request: Request): Members {
  return {
    list: (query, options) =>
      listPages((place) => request('listMembers', { query: { ...query, ...place } }, options)),
    invite: (body, options) => request('inviteMember', { body }, options),
    change: (accountId, roles, options) =>
      request('changeMember', { path: { accountId }, body: { roles } }, options),
    remove: (accountId, options) => request('removeMember', { path: { accountId } }, options),
  };
}

export function invitationsOf(request: Request): Invitations {
  return {
    list: (query, options) =>
      listPages((place) => request('listInvitations', { query: { ...query, ...place } }, options)),
    revoke: (invitationId, options) => request('revokeInvitation', { path: { invitationId } }, options),
    accept: (body, options) => request('acceptInvitation', { body }, options),
  };
}

export function passwordResetsOf(request: Request): PasswordResets {
  return {
    ask: (email, options) => request('askPasswordReset', { body: { email } }, options),
    accept: (body, options) => request('acceptPasswordReset', { body }, options),
  };
}

export function ownCompanyOf(request: Request): OwnCompany {
  return {
    get: (options) => request('getCompany', {}, options),
    change: (body, options) => request('changeCompany', { body }, options),
    uploadLogo: (body, query = {}, options) => request('uploadLogo', { body, query }, options),
    deleteLogo: (query = {}, options) => request('deleteLogo', { query }, options),
    preview: (body = {}, options) => request('previewPage', { body }, options),
  };
}

export function requestsOf(request: Request): Requests {
  return {
    list: (query, options) =>
      listPages((place) => request('listRequests', { query: { ...query, ...place } }, options)),
    get: (requestId, options) => request('getRequest', { path: { requestId } }, options),
  };
}
