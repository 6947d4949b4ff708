-- The ratio of the logos that are stored. In a transaction of its own: its locks are those of the companies with a logo, and no
-- longer that of the table.
-- compatible: the version before does not know the column.

update companies c
set logo_ratio = picture_ratio(coalesce(l.content, c.logo))
from companies o
  left join company_logos l on l.company_id = o.company_id and l.variant = 'light'
where o.company_id = c.company_id and (o.logo is not null or l.content is not null);
