-- URLs of a company's identity begin with https://, as the API demands: pages of live mode show them.
-- docs/decisions/0043-logos.md.
-- compatible: the version before writes none of these columns. Not validated, so that no row is read under the lock; a row is
-- checked when it is written next.

alter table companies add constraint companies_identity_https check (
  coalesce(website, 'https://') ~* '^https://' and coalesce(imprint_url, 'https://') ~* '^https://'
  and coalesce(terms_url, 'https://') ~* '^https://' and coalesce(privacy_url, 'https://') ~* '^https://') not valid;
