-- The shape of a company's logo, so that a page reserves its place before the browser has the file. docs/decisions/0043-logos.md.
-- compatible: a new column that may be null, which the version before neither reads nor writes. A logo that it stores keeps
-- the ratio of the logo before: the page then moves once when the file arrives, as it does in that version.

-- The width of a picture per 1,000 of its height, at most 1,000,000; null for a file that is neither a PNG (its header has the
-- size, ISO/IEC 15948) nor an SVG as the service stores it: src/companies/sanitise-svg.ts writes width and height first.
create function picture_ratio(content bytea) returns integer
  language sql immutable
return (
  select case when height > 0 then round(least(1000 * width / height, 1000000))::integer end
  from (
    select get_byte(content, 18) * 256 + get_byte(content, 19), get_byte(content, 22) * 256 + get_byte(content, 23)::numeric
    where length(content) > 24 and substr(content, 2, 3) = 'PNG'
    union all
    select found[1]::numeric, found[2]::numeric
    from regexp_match(
      encode(substr(content, 1, 300), 'escape'),
      '^<svg xmlns="[^"]*" width="([0-9]+(?:[.][0-9]+)?)" height="([0-9]+(?:[.][0-9]+)?)"') found
    where found is not null
  ) size (width, height)
);

-- Of the logo that pages show: the uploaded file, else the small one in the settings.
alter table companies add column logo_ratio integer check (logo_ratio between 0 and 1000000);
