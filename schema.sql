-- Generated from the migrated database: do not edit. Everything in the schema public, sorted by name;
-- what the owner may do is not shown.

grant usage on schema public to paylink_system;

grant usage on schema public to paylink_tenant;

grant usage on schema public to public;

CREATE OR REPLACE FUNCTION public.company_lock(company text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(('company '::text || company), (0)::bigint);
grant execute on function company_lock(text) to public;

CREATE OR REPLACE FUNCTION public.company_mailbox(company companies)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(company.notice_address, (
    select a.email from accounts a
    where a.company_id = company.company_id and 'owner' = any(a.roles) and a.disabled_at is null
    order by a.created_at, a.account_id limit 1))
$function$;
grant execute on function company_mailbox(companies) to public;

CREATE OR REPLACE FUNCTION public.current_company()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN NULLIF(current_setting('paylink.company_id'::text, true), ''::text);
grant execute on function current_company() to paylink_system;
grant execute on function current_company() to paylink_tenant;
grant execute on function current_company() to public;

CREATE OR REPLACE FUNCTION public.current_mode()
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (current_setting('paylink.mode'::text, true) = ANY (ARRAY['test'::text, 'live'::text])) THEN current_setting('paylink.mode'::text, true) ELSE NULL::text END;
grant execute on function current_mode() to paylink_system;
grant execute on function current_mode() to paylink_tenant;
grant execute on function current_mode() to public;

CREATE OR REPLACE FUNCTION public.current_modes()
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN string_to_array(NULLIF(current_setting('paylink.mode'::text, true), ''::text), ','::text);
grant execute on function current_modes() to paylink_system;
grant execute on function current_modes() to paylink_tenant;
grant execute on function current_modes() to public;

CREATE OR REPLACE FUNCTION public.enqueue_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owner record;
  endpoint record;
begin
  for owner in select distinct company_id, mode from added where is_public loop
    for endpoint in
      select w.endpoint_id, w.events from webhook_endpoints w
      where w.company_id = owner.company_id and w.mode = owner.mode and w.deleted_at is null
    loop
      insert into webhook_deliveries (company_id, mode, delivery_id, endpoint_id, event_id, event_at, due_at)
        select e.company_id, e.mode,
               -- As other ids: the time and the count of the event, then what makes it one endpoint's.
               'whd_' || substr(e.event_id, 5, 14)
                 || left(encode(sha256(convert_to(e.event_id || endpoint.endpoint_id, 'UTF8')), 'hex'), 12),
               endpoint.endpoint_id, e.event_id, e.at, least(e.at, statement_timestamp())
        from added e
        where e.company_id = owner.company_id and e.mode = owner.mode and e.is_public
          and (endpoint.events @> array['*'] or endpoint.events @> array[e.type]);
    end loop;
  end loop;
  return null;
end
$function$;
grant execute on function enqueue_webhooks() to public;

CREATE OR REPLACE FUNCTION public.enter_companies(wanted text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  entered text;
begin
  foreach entered in array wanted loop
    if pg_try_advisory_xact_lock_shared(public.company_lock(entered)) then
      -- A statement of its own, so that its snapshot is newer than the lock.
      if exists (select from public.company_homes where company = entered and status = 'home') then
        return next entered;
      end if;
    end if;
  end loop;
end
$function$;
grant execute on function enter_companies(text[]) to paylink_system;

CREATE OR REPLACE FUNCTION public.enter_company(entered text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  home public.company_homes;
begin
  if not pg_try_advisory_xact_lock_shared(public.company_lock(entered)) then
    raise exception 'the company is being moved to another cell' using errcode = 'PL002';
  end if;
  -- After the lock: a switch has committed, or will come after this transaction. (A snapshot that only reads may be older
  -- than both; then it shows the company as it was.)
  select * into home from public.company_homes where company = entered;
  if home.status <> 'home' then
    raise exception 'the company is not at home in this cell'
      using errcode = 'PL001', detail = home.status || ' ' || home.other_cell;
  end if;
  perform set_config('paylink.entered', case when home.status is null then 'nobody' else entered end, true);
  return '';
end
$function$;
grant execute on function enter_company(text) to paylink_tenant;

CREATE OR REPLACE FUNCTION public.event_horizon()
 RETURNS xid8
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return (select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + base)::text::xid8 from public.event_numbers);
end
$function$;
grant execute on function event_horizon() to public;

CREATE OR REPLACE FUNCTION public.event_number()
 RETURNS xid8
 LANGUAGE plpgsql
AS $function$
declare
  current_base bigint;
begin
  if pg_advisory_xact_lock_shared(7310595316853) is null then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed' then
    select base into current_base from public.event_numbers;
  else
    current_base := public.lock_event_numbers();
  end if;
  if current_base = 0 then
    return pg_current_xact_id();
  end if;
  return (pg_current_xact_id()::text::bigint + current_base)::text::xid8;
end
$function$;
grant execute on function event_number() to public;

CREATE OR REPLACE FUNCTION public.fold_case(given text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  folded text collate "C" := lower(given collate "C");
begin
  if octet_length(folded) = char_length(folded) then
    return folded;
  end if;
  if folded ~ '[\u00b5-\u00de]' then -- Latin-1
    folded := translate(folded,
      'µÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ',
      'μàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ');
  end if;
  if folded ~ '[\u0100-\u024f]' then -- Latin beyond it
    folded := translate(folded,
      'ĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽſƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘ'
      'ƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽ'
      'ȾɁɃɄɅɆɈɊɌɎ',
      'āăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžsɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙ'
      'ɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșțȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚ'
      'ⱦɂƀʉʌɇɉɋɍɏ');
  end if;
  if folded ~ '[\u0370-\u03ff]' then -- Greek
    folded := translate(folded,
      'ͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫςϏϐϑϕϖϘϚϜϞϠϢϤϦϨϪϬϮϰϱϴϵϷϹϺϽϾϿ',
      'ͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋσϗβθφπϙϛϝϟϡϣϥϧϩϫϭϯκρθεϸϲϻͻͼͽ');
  end if;
  if folded ~ '[\u0400-\u042f]' then -- Cyrillic
    folded := translate(folded,
      'ЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ',
      'ѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюя');
  end if;
  if folded ~ '[\u0460-\u052f]' then -- Cyrillic beyond Russian
    folded := translate(folded,
      'ѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆ'
      'ԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮ',
      'ѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇ'
      'ԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯ');
  end if;
  if folded ~ '[\u0531-\u0556]' then -- Armenian
    folded := translate(folded,
      'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
      'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ');
  end if;
  if folded ~ '[\u1e00-\u1eff]' then -- Latin, as for Vietnamese
    folded := translate(folded,
      'ḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊẌẎẐẒẔẛẞẠẢẤ'
      'ẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾ',
      'ḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋẍẏẑẓẕṡßạảấ'
      'ầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿ');
  end if;
  if folded ~ '[\u10a0-\u1dff\u1f00-\u2dff\ua640-\uabff\uff21-\uff3a\U00010400-\U0001e921]' then -- the others
    folded := translate(folded,
      'ႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇ'
      'ᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲀᲁᲂᲃᲄᲅᲆᲇᲈᲉᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧ'
      'ᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿἈἉἊἋἌἍἎἏἘἙἚἛἜἝἨἩἪἫἬἭἮἯἸἹἺἻἼἽἾἿὈὉὊὋὌὍὙὛὝὟὨὩὪὫὬὭὮὯᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙ'
      'ᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾸᾹᾺΆᾼιῈΈῊΉῌῘῙῚΊῨῩῪΎῬῸΌῺΏῼΩKÅℲⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫⅬⅭⅮⅯↃⒶⒷⒸⒹⒺⒻⒼⒽⒾⒿⓀⓁⓂⓃⓄⓅⓆⓇⓈⓉ'
      'ⓊⓋⓌⓍⓎⓏⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔ'
      'ⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢ'
      'ꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇ'
      'ꟉꟋꟌ꟎Ꟑ꟒꟔ꟖꟘꟚꟜꟵＡＢＣＤＥＦＧＨＩＪＫＬＭＮＯＰＱＲＳＴＵＶＷＸＹＺ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱'
      '𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊'
      '𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𐵐𐵑𐵒𐵓𐵔𐵕𐵖𐵗𐵘𐵙𐵚𐵛𐵜𐵝𐵞𐵟𐵠𐵡𐵢𐵣𐵤𐵥𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮𑢯𑢰𑢱'
      '𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𖺠𖺡𖺢𖺣𖺤𖺥𖺦𖺧𖺨𖺩𖺪𖺫𖺬𖺭𖺮𖺯𖺰𖺱𖺲𖺳𖺴𖺵𖺶𖺷𖺸𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈'
      '𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡',
      'ⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗ'
      'ꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽвдосттъѣꙋᲊაბგდევზთიკლმნოპჟრსტუფქღყ'
      'შჩცძწჭხჯჰჱჲჳჴჵჶჷჸჹჺჽჾჿἀἁἂἃἄἅἆἇἐἑἒἓἔἕἠἡἢἣἤἥἦἧἰἱἲἳἴἵἶἷὀὁὂὃὄὅὑὓὕὗὠὡὢὣὤὥὦὧᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑ'
      'ᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾰᾱὰάᾳιὲέὴήῃῐῑὶίῠῡὺύῥὸόὼώῳωkåⅎⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹⅺⅻⅼⅽⅾⅿↄⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢⓣ'
      'ⓤⓥⓦⓧⓨⓩⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕ'
      'ⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣ'
      'ꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈ'
      'ꟊɤꟍ꟏ꟑꟓꟕꟗꟙꟛƛꟶａｂｃｄｅｆｇｈｉｊｋｌｍｎｏｐｑｒｓｔｕｖｗｘｙｚ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙'
      '𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊'
      '𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𐵰𐵱𐵲𐵳𐵴𐵵𐵶𐵷𐵸𐵹𐵺𐵻𐵼𐵽𐵾𐵿𐶀𐶁𐶂𐶃𐶄𐶅𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎𑣏𑣐𑣑'
      '𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𖺻𖺼𖺽𖺾𖺿𖻀𖻁𖻂𖻃𖻄𖻅𖻆𖻇𖻈𖻉𖻊𖻋𖻌𖻍𖻎𖻏𖻐𖻑𖻒𖻓𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪'
      '𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃');
  end if;
  return folded;
end
$function$;
grant execute on function fold_case(text) to public;

CREATE OR REPLACE FUNCTION public.hide_companies_elsewhere(hiding name)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  execute format(
    'create policy at_home on public.%I as restrictive to paylink_system
       using (company_id not in (select company from public.company_homes where status <> ''home''))', hiding);
end
$function$;

CREATE OR REPLACE FUNCTION public.items_total(items jsonb)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    select coalesce(sum((item->>'quantity')::bigint * (item->>'unitAmountMinor')::bigint), 0)::bigint
    from jsonb_array_elements(items) as item
  $function$;
grant execute on function items_total(jsonb) to public;

CREATE OR REPLACE FUNCTION public.lock_event_numbers()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  return (select base from public.event_numbers for share);
end
$function$;
grant execute on function lock_event_numbers() to public;

CREATE OR REPLACE FUNCTION public.next_event_number()
 RETURNS xid8
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return (select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + base)::text::xid8 from public.event_numbers);
end
$function$;
grant execute on function next_event_number() to public;

CREATE OR REPLACE FUNCTION public.picture_ratio(content bytea)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT CASE WHEN (size.height > (0)::numeric) THEN (round(LEAST((((1000)::numeric * size.width) / size.height), (1000000)::numeric)))::integer ELSE NULL::integer END AS "case" FROM (SELECT ((get_byte(picture_ratio.content, 18) * 256) + get_byte(picture_ratio.content, 19)) AS "?column?", (((get_byte(picture_ratio.content, 22) * 256))::numeric + (get_byte(picture_ratio.content, 23))::numeric) AS "?column?" WHERE ((length(picture_ratio.content) > 24) AND (substr(picture_ratio.content, 2, 3) = '\x504e47'::bytea)) UNION ALL SELECT (found.found[1])::numeric AS found, (found.found[2])::numeric AS found FROM regexp_match(encode(substr(picture_ratio.content, 1, 300), 'escape'::text), '^<svg xmlns="[^"]*" width="([0-9]+(?:[.][0-9]+)?)" height="([0-9]+(?:[.][0-9]+)?)"'::text) found(found) WHERE (found.found IS NOT NULL)) size(width, height));
grant execute on function picture_ratio(bytea) to public;

CREATE OR REPLACE FUNCTION public.queue_account_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_account', new.event_id, 'account',
           a.email, least(new.at, statement_timestamp()), new.at
    from accounts a
    where a.company_id = new.company_id and a.account_id = new.data ->> 'accountId' and a.disabled_at is null;
  return null;
end
$function$;
grant execute on function queue_account_mails() to public;

CREATE OR REPLACE FUNCTION public.queue_endpoint_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_endpoint', new.event_id, 'endpoint',
           company_mailbox(c), least(new.at, statement_timestamp()), new.at
    from companies c
    where c.company_id = new.company_id and company_mailbox(c) is not null;
  return null;
end
$function$;
grant execute on function queue_endpoint_mails() to public;

CREATE OR REPLACE FUNCTION public.queue_invitation_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into mails (company_id, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, replace(new.event_id, 'evt_', 'mail_') || '_invitation', new.event_id, 'invitation',
           i.email, least(new.at, statement_timestamp()), new.at
    from invitations i
    where i.company_id = new.company_id and i.invitation_id = new.data ->> 'invitationId'
      and i.accepted_at is null and i.revoked_at is null;
  return null;
end
$function$;
grant execute on function queue_invitation_mails() to public;

CREATE OR REPLACE FUNCTION public.queue_link_request_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, payment_id, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_link_request', new.event_id,
           'link_request', new.payment_id, company_mailbox(c), new.at, new.at
    from companies c
    where c.company_id = new.company_id and c.sends_notices and company_mailbox(c) is not null;
  return null;
end
$function$;
grant execute on function queue_link_request_mails() to public;

CREATE OR REPLACE FUNCTION public.queue_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, payment_id, refund_id, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_' || wanted.kind, new.event_id, wanted.kind,
           new.payment_id, wanted.refund_id, wanted.recipient, least(new.at, statement_timestamp()), new.at
    from companies c
    join payments p on p.company_id = c.company_id and p.payment_id = new.payment_id
    cross join lateral (
      select 'link' as kind, null::text as refund_id, p.email as recipient
        where new.type = 'payment.link_sent'
      union all
      select 'reminder', null, p.email
        where new.type = 'payment.reminded'
      union all
      select 'receipt', null, p.email
        where new.type = 'payment.paid' and c.sends_receipts
      union all
      select 'notice', null, company_mailbox(c)
        where new.type = 'payment.paid' and c.sends_notices
      union all
      select case r.kind when 'surplus' then 'surplus' else 'refund' end, r.refund_id, p.email
        from refunds r
        where r.company_id = c.company_id and r.refund_id = new.data ->> 'refundId'
          and new.type = 'refund.succeeded' and c.sends_receipts
    ) as wanted
    where c.company_id = new.company_id and wanted.recipient is not null;
  return null;
end
$function$;
grant execute on function queue_mails() to public;

CREATE OR REPLACE FUNCTION public.queue_password_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_password', new.event_id, 'password',
           a.email, least(new.at, statement_timestamp()), new.at
    from accounts a
    where a.company_id = new.company_id and a.account_id = new.data ->> 'accountId' and a.disabled_at is null;
  return null;
end
$function$;
grant execute on function queue_password_mails() to public;

CREATE OR REPLACE FUNCTION public.raise_event_numbers(lowest xid8)
 RETURNS bigint
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  earlier_base bigint;
  raised_base bigint;
begin
  begin
    perform pg_advisory_xact_lock(7310595316853);
  exception when lock_not_available then
    return null;
  end;
  select base into strict earlier_base from public.event_numbers;
  update public.event_numbers
  set base = lowest::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  where base < lowest::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  returning base into raised_base;
  return coalesce(raised_base - earlier_base, 0);
end
$function$;
grant execute on function raise_event_numbers(xid8) to public;

CREATE OR REPLACE FUNCTION public.refuse_clock_backwards()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.offset_ms < old.offset_ms or new.target_ms < old.target_ms then
    raise exception 'a test clock only moves forward' using errcode = 'check_violation';
  end if;
  return new;
end
$function$;
grant execute on function refuse_clock_backwards() to public;

CREATE OR REPLACE FUNCTION public.refuse_entry()
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  raise exception 'this database is a cell of an installation with several: set DATABASE_URLS instead of DATABASE_URL'
    using errcode = 'cannot_connect_now';
end
$function$;
grant execute on function refuse_entry() to paylink_system;
grant execute on function refuse_entry() to paylink_tenant;

CREATE OR REPLACE FUNCTION public.require_entry()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if position('paylink.entered' in pg_get_functiondef('public.current_company()'::regprocedure)) > 0 then return; end if;
  create or replace function public.current_company() returns text
    language sql stable parallel safe
    return case
      when coalesce(current_setting('paylink.company_id', true), '') = '' then null
      when current_setting('paylink.entered', true) = current_setting('paylink.company_id', true)
        then current_setting('paylink.company_id', true)
      when current_setting('paylink.entered', true) = 'nobody' then null
      else public.refuse_entry() end;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_refund_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.target := coalesce((
    select coalesce(a.connection_id, a.processor) from attempts a
    where a.company_id = new.company_id and a.attempt_id = new.attempt_id), 'unknown');
  return new;
end
$function$;
grant execute on function set_refund_target() to public;

CREATE OR REPLACE FUNCTION public.tables_without_at_home()
 RETURNS SETOF name
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select distinct p.tablename from pg_policies p
    join pg_attribute a on a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
      and a.attname = 'company_id' and not a.attisdropped
  where p.schemaname = 'public' and 'paylink_system' = any(p.roles)
    and not exists (
      select from pg_policies own
      where own.schemaname = 'public' and own.tablename = p.tablename and own.policyname = 'at_home')
  order by 1
$function$;

create table accounts (
  company_id text not null,
  account_id text not null,
  email text not null,
  password_hash text not null,
  roles text[] not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint accounts_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint accounts_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint accounts_pkey PRIMARY KEY (company_id, account_id),
  constraint accounts_roles_check CHECK (((cardinality(roles) > 0) AND (roles <@ ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text])))
);
alter table accounts enable row level security;
alter table accounts force row level security;
create policy tenant on accounts as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on accounts to paylink_tenant;

create table api_keys (
  company_id text not null,
  key_id text not null,
  mode text not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  name text default 'API key'::text not null,
  created_by text default 'system'::text not null,
  expires_at timestamp with time zone,
  constraint api_keys_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint api_keys_key_id_check CHECK ((key_id ~ '^[0-9a-hjkmnp-tv-z]{16}$'::text)),
  constraint api_keys_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint api_keys_pkey PRIMARY KEY (company_id, key_id)
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy tenant on api_keys as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on api_keys to paylink_tenant;

create table api_requests (
  company_id text not null,
  mode text default current_mode() not null,
  log_id text not null,
  request_id text not null,
  at timestamp with time zone not null,
  method text not null,
  path text not null,
  query text,
  status integer not null,
  duration_ms integer not null,
  actor text not null,
  key_id text,
  client text not null,
  error_code text,
  is_replay boolean not null,
  request_body text,
  response_body text,
  constraint api_requests_log_id_check CHECK ((log_id ~ '^rql_'::text)),
  constraint api_requests_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint api_requests_pkey PRIMARY KEY (company_id, mode, log_id),
  constraint api_requests_request_body_check CHECK ((length(request_body) <= 4096)),
  constraint api_requests_response_body_check CHECK ((length(response_body) <= 4096))
);
CREATE INDEX api_requests_age ON public.api_requests USING btree (at);
CREATE INDEX api_requests_by_request ON public.api_requests USING btree (company_id, mode, request_id);
alter table api_requests enable row level security;
alter table api_requests force row level security;
create policy outlived_delete on api_requests as permissive for delete to paylink_system
  using ((at < (clock_timestamp() - '1 day'::interval)));
create policy outlived_select on api_requests as permissive for select to paylink_system
  using ((at < (clock_timestamp() - '1 day'::interval)));
create policy tenant on api_requests as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
create policy written on api_requests as permissive for insert to paylink_system
  with check (true);
grant delete, insert on api_requests to paylink_system;
grant select on api_requests to paylink_tenant;
grant select (at) on api_requests to paylink_system;

create table attempts (
  company_id text not null,
  attempt_id text not null,
  payment_id text not null,
  state text not null,
  processor text not null,
  amount_minor bigint not null,
  currency text not null,
  card_brand text,
  card_last4 text,
  processor_reference text,
  action_url text,
  decline_code text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  escalated_at timestamp with time zone,
  connection_id text,
  locale text,
  expires_at timestamp with time zone,
  mode text default current_mode() not null,
  due_at timestamp with time zone default (statement_timestamp() + '00:00:15'::interval) not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  last_error text,
  fee_minor bigint,
  constraint attempts_amount_minor_check CHECK ((amount_minor > 0)),
  constraint attempts_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint attempts_company_id_connection_id_mode_fkey FOREIGN KEY (company_id, connection_id, mode) REFERENCES connections(company_id, connection_id, mode),
  constraint attempts_company_id_payment_id_mode_fkey FOREIGN KEY (company_id, payment_id, mode) REFERENCES payments(company_id, payment_id, mode),
  constraint attempts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint attempts_last_error_check CHECK ((length(last_error) <= 500)),
  constraint attempts_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint attempts_pkey PRIMARY KEY (company_id, attempt_id, mode),
  constraint attempts_state_check CHECK ((state = ANY (ARRAY['created'::text, 'requires_action'::text, 'processing'::text, 'unknown'::text, 'succeeded'::text, 'declined'::text, 'cancelled'::text])))
);
CREATE INDEX attempts_due ON public.attempts USING btree (company_id, (((mode || ' '::text) || COALESCE(connection_id, processor))), due_at, attempt_id) WHERE (state = ANY (ARRAY['created'::text, 'requires_action'::text, 'processing'::text, 'unknown'::text]));
CREATE INDEX attempts_escalated ON public.attempts USING btree (company_id, escalated_at) WHERE ((escalated_at IS NOT NULL) AND (state = ANY (ARRAY['created'::text, 'requires_action'::text, 'processing'::text, 'unknown'::text])));
CREATE UNIQUE INDEX attempts_one_live_per_payment ON public.attempts USING btree (company_id, mode, payment_id) WHERE (state = ANY (ARRAY['created'::text, 'requires_action'::text, 'processing'::text, 'unknown'::text, 'succeeded'::text]));
CREATE INDEX attempts_payment ON public.attempts USING btree (company_id, payment_id, attempt_id);
alter table attempts enable row level security;
alter table attempts force row level security;
create policy tenant on attempts as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
create policy waiting on attempts as permissive for select to paylink_system
  using ((state = ANY (ARRAY['created'::text, 'requires_action'::text, 'processing'::text, 'unknown'::text])));
grant insert, select, update on attempts to paylink_tenant;
grant select (company_id) on attempts to paylink_system;
grant select (attempt_id) on attempts to paylink_system;
grant select (state) on attempts to paylink_system;
grant select (processor) on attempts to paylink_system;
grant select (updated_at) on attempts to paylink_system;
grant select (escalated_at) on attempts to paylink_system;
grant select (connection_id) on attempts to paylink_system;
grant select (mode) on attempts to paylink_system;
grant select (due_at) on attempts to paylink_system;
grant select (leased_until) on attempts to paylink_system;
grant select (lease_token) on attempts to paylink_system;
grant select (last_error) on attempts to paylink_system;

create table bank_lines (
  company_id text not null,
  line_id text not null,
  statement_id text not null,
  mode text default current_mode() not null,
  "position" integer not null,
  fingerprint bytea not null,
  direction text not null,
  is_return boolean not null,
  is_batch_unclear boolean not null,
  is_booked boolean not null,
  amount_minor bigint,
  amount_text text not null,
  currency text not null,
  account_iban text,
  booked_on date,
  bank_reference text,
  end_to_end_id text,
  found_references text[] not null,
  remittance text not null,
  counterparty_name text,
  counterparty_iban text,
  return_reason text,
  state text not null,
  reason text,
  attempt_id text,
  refund_id text,
  is_credited boolean default false not null,
  matched_by text,
  resolved_by text,
  resolved_at timestamp with time zone,
  note text,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  last_error text,
  constraint bank_lines_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint bank_lines_check CHECK (((state <> ALL (ARRAY['review'::text, 'ignored'::text])) OR (reason IS NOT NULL))),
  constraint bank_lines_check1 CHECK (((state <> 'matched'::text) OR ((matched_by IS NOT NULL) AND ((attempt_id IS NOT NULL) OR (refund_id IS NOT NULL))))),
  constraint bank_lines_check2 CHECK (((NOT is_credited) OR (attempt_id IS NOT NULL))),
  constraint bank_lines_company_id_attempt_id_mode_fkey FOREIGN KEY (company_id, attempt_id, mode) REFERENCES bank_transfers(company_id, attempt_id, mode),
  constraint bank_lines_company_id_mode_fingerprint_key UNIQUE (company_id, mode, fingerprint),
  constraint bank_lines_company_id_refund_id_mode_fkey FOREIGN KEY (company_id, refund_id, mode) REFERENCES bank_refunds(company_id, refund_id, mode),
  constraint bank_lines_company_id_statement_id_mode_fkey FOREIGN KEY (company_id, statement_id, mode) REFERENCES bank_statements(company_id, statement_id, mode) DEFERRABLE INITIALLY DEFERRED,
  constraint bank_lines_direction_check CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint bank_lines_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint bank_lines_last_error_check CHECK ((length(last_error) <= 500)),
  constraint bank_lines_matched_by_check CHECK ((matched_by = ANY (ARRAY['reference'::text, 'person'::text]))),
  constraint bank_lines_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint bank_lines_note_check CHECK ((length(note) <= 500)),
  constraint bank_lines_pkey PRIMARY KEY (company_id, line_id, mode),
  constraint bank_lines_position_check CHECK (("position" > 0)),
  constraint bank_lines_state_check CHECK ((state = ANY (ARRAY['new'::text, 'matched'::text, 'review'::text, 'ignored'::text, 'resolved'::text])))
);
CREATE INDEX bank_lines_attempt ON public.bank_lines USING btree (company_id, attempt_id) WHERE (attempt_id IS NOT NULL);
CREATE INDEX bank_lines_due ON public.bank_lines USING btree (company_id, mode, due_at, line_id) WHERE (state = 'new'::text);
CREATE INDEX bank_lines_new ON public.bank_lines USING btree (company_id, line_id) WHERE (state = 'new'::text);
CREATE INDEX bank_lines_of_refund ON public.bank_lines USING btree (company_id, refund_id) WHERE (refund_id IS NOT NULL);
CREATE INDEX bank_lines_state ON public.bank_lines USING btree (company_id, mode, state, line_id);
CREATE INDEX bank_lines_statement ON public.bank_lines USING btree (company_id, statement_id, state);
alter table bank_lines enable row level security;
alter table bank_lines force row level security;
create policy tenant on bank_lines as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
create policy waiting on bank_lines as permissive for select to paylink_system
  using ((state = 'new'::text));
grant insert, select, update on bank_lines to paylink_tenant;
grant select (company_id) on bank_lines to paylink_system;
grant select (line_id) on bank_lines to paylink_system;
grant select (mode) on bank_lines to paylink_system;
grant select (state) on bank_lines to paylink_system;
grant select (due_at) on bank_lines to paylink_system;
grant select (leased_until) on bank_lines to paylink_system;
grant select (lease_token) on bank_lines to paylink_system;
grant select (last_error) on bank_lines to paylink_system;

create table bank_refunds (
  company_id text not null,
  refund_id text not null,
  attempt_id text not null,
  state text not null,
  reference text not null,
  amount_minor bigint not null,
  currency text not null,
  to_name text,
  to_iban text,
  line_id text,
  ended_by text,
  note text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  mode text default current_mode() not null,
  constraint bank_refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint bank_refunds_check CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint bank_refunds_check1 CHECK (((state = 'waiting'::text) OR (line_id IS NOT NULL) OR (ended_by IS NOT NULL))),
  constraint bank_refunds_company_id_attempt_id_mode_fkey FOREIGN KEY (company_id, attempt_id, mode) REFERENCES bank_transfers(company_id, attempt_id, mode),
  constraint bank_refunds_company_id_reference_mode_key UNIQUE (company_id, reference, mode),
  constraint bank_refunds_currency_check CHECK ((currency = 'EUR'::text)),
  constraint bank_refunds_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint bank_refunds_note_check CHECK ((length(note) <= 500)),
  constraint bank_refunds_pkey PRIMARY KEY (company_id, refund_id, mode),
  constraint bank_refunds_reference_check CHECK ((reference ~ '^RF[0-9]{2}[A-Z0-9]{1,21}$'::text)),
  constraint bank_refunds_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text])))
);
CREATE INDEX bank_refunds_attempt ON public.bank_refunds USING btree (company_id, attempt_id);
CREATE INDEX bank_refunds_state ON public.bank_refunds USING btree (company_id, mode, state, refund_id);
alter table bank_refunds enable row level security;
alter table bank_refunds force row level security;
create policy tenant on bank_refunds as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on bank_refunds to paylink_tenant;

create table bank_statements (
  company_id text not null,
  statement_id text not null,
  mode text default current_mode() not null,
  sha256 bytea not null,
  kind text not null,
  version text not null,
  message_id text not null,
  byte_count bigint not null,
  line_count integer not null,
  duplicate_count integer not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  assumed_count integer default 0 not null,
  constraint bank_statements_byte_count_check CHECK ((byte_count > 0)),
  constraint bank_statements_check CHECK (((duplicate_count >= 0) AND (duplicate_count <= line_count))),
  constraint bank_statements_check1 CHECK (((assumed_count >= 0) AND (assumed_count <= line_count))),
  constraint bank_statements_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint bank_statements_company_id_mode_sha256_key UNIQUE (company_id, mode, sha256),
  constraint bank_statements_kind_check CHECK ((kind = ANY (ARRAY['camt.052'::text, 'camt.053'::text, 'camt.054'::text]))),
  constraint bank_statements_line_count_check CHECK ((line_count >= 0)),
  constraint bank_statements_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint bank_statements_pkey PRIMARY KEY (company_id, statement_id, mode),
  constraint bank_statements_sha256_check CHECK ((length(sha256) = 32))
);
alter table bank_statements enable row level security;
alter table bank_statements force row level security;
create policy tenant on bank_statements as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select on bank_statements to paylink_tenant;

create table bank_transfers (
  company_id text not null,
  attempt_id text not null,
  connection_id text not null,
  mode text default current_mode() not null,
  state text not null,
  reference text not null,
  due_minor bigint not null,
  received_minor bigint default 0 not null,
  returned_minor bigint default 0 not null,
  left_minor bigint default 0 not null,
  currency text not null,
  holder text not null,
  iban text not null,
  bic text,
  link_code text not null,
  customer_order_id text not null,
  customer_name text not null,
  payer_name text,
  payer_iban text,
  last_payer_name text,
  last_payer_iban text,
  expires_at timestamp with time zone not null,
  closes_at timestamp with time zone not null,
  is_unsettled boolean default false not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  returned_at timestamp with time zone,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  last_error text,
  constraint bank_transfers_check CHECK ((closes_at >= expires_at)),
  constraint bank_transfers_check1 CHECK (((state = 'open'::text) = (ended_at IS NULL))),
  constraint bank_transfers_check2 CHECK (((returned_minor + left_minor) <= received_minor)),
  constraint bank_transfers_check3 CHECK (((state = 'complete'::text) = ((received_minor >= due_minor) AND (state <> 'void'::text) AND (state <> 'closed'::text)))),
  constraint bank_transfers_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint bank_transfers_company_id_reference_mode_key UNIQUE (company_id, reference, mode),
  constraint bank_transfers_currency_check CHECK ((currency = 'EUR'::text)),
  constraint bank_transfers_due_minor_check CHECK ((due_minor > 0)),
  constraint bank_transfers_iban_check CHECK ((iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'::text)),
  constraint bank_transfers_last_error_check CHECK ((length(last_error) <= 500)),
  constraint bank_transfers_left_minor_check CHECK ((left_minor >= 0)),
  constraint bank_transfers_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint bank_transfers_pkey PRIMARY KEY (company_id, attempt_id, mode),
  constraint bank_transfers_received_minor_check CHECK ((received_minor >= 0)),
  constraint bank_transfers_reference_check CHECK ((reference ~ '^RF[0-9]{2}[A-Z0-9]{1,21}$'::text)),
  constraint bank_transfers_returned_minor_check CHECK ((returned_minor >= 0)),
  constraint bank_transfers_state_check CHECK ((state = ANY (ARRAY['open'::text, 'complete'::text, 'void'::text, 'closed'::text])))
);
CREATE INDEX bank_transfers_account ON public.bank_transfers USING btree (company_id, mode, iban);
CREATE INDEX bank_transfers_due ON public.bank_transfers USING btree (company_id, mode, due_at, attempt_id) WHERE is_unsettled;
CREATE INDEX bank_transfers_ended ON public.bank_transfers USING btree (company_id, connection_id, ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX bank_transfers_open ON public.bank_transfers USING btree (company_id, mode, ((due_minor - received_minor))) WHERE (state = 'open'::text);
CREATE INDEX bank_transfers_unsettled ON public.bank_transfers USING btree (company_id) WHERE is_unsettled;
alter table bank_transfers enable row level security;
alter table bank_transfers force row level security;
create policy tenant on bank_transfers as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
create policy waiting on bank_transfers as permissive for select to paylink_system
  using (is_unsettled);
grant insert, select, update on bank_transfers to paylink_tenant;
grant select (company_id) on bank_transfers to paylink_system;
grant select (attempt_id) on bank_transfers to paylink_system;
grant select (mode) on bank_transfers to paylink_system;
grant select (is_unsettled) on bank_transfers to paylink_system;
grant select (due_at) on bank_transfers to paylink_system;
grant select (leased_until) on bank_transfers to paylink_system;
grant select (lease_token) on bank_transfers to paylink_system;
grant select (last_error) on bank_transfers to paylink_system;

create table browser_sessions (
  company_id text not null,
  session_id text not null,
  cookie_digest bytea not null,
  seen_at timestamp with time zone not null,
  constraint browser_sessions_company_id_cookie_digest_key UNIQUE (company_id, cookie_digest),
  constraint browser_sessions_company_id_session_id_fkey FOREIGN KEY (company_id, session_id) REFERENCES sessions(company_id, session_id),
  constraint browser_sessions_cookie_digest_check CHECK ((length(cookie_digest) = 32)),
  constraint browser_sessions_pkey PRIMARY KEY (company_id, session_id)
);
CREATE INDEX browser_sessions_age ON public.browser_sessions USING btree (seen_at);
alter table browser_sessions enable row level security;
alter table browser_sessions force row level security;
create policy outlived_delete on browser_sessions as permissive for delete to paylink_system
  using ((seen_at < (clock_timestamp() - '30 days'::interval)));
create policy outlived_select on browser_sessions as permissive for select to paylink_system
  using ((seen_at < (clock_timestamp() - '30 days'::interval)));
create policy tenant on browser_sessions as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete on browser_sessions to paylink_system;
grant insert, select, update on browser_sessions to paylink_tenant;
grant select (seen_at) on browser_sessions to paylink_system;

create table cells (
  name text not null,
  database_id uuid not null,
  weight integer default 100 not null,
  added_at timestamp with time zone default statement_timestamp() not null,
  is_listed boolean default false not null,
  constraint cells_database_id_key UNIQUE (database_id),
  constraint cells_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,30}$'::text)),
  constraint cells_pkey PRIMARY KEY (name),
  constraint cells_weight_check CHECK (((weight >= 0) AND (weight <= 10000)))
);
grant select on cells to paylink_system;

create table companies (
  company_id text not null,
  name text not null,
  country text not null,
  retry_policy text default 'fixable'::text not null,
  allowed_origins text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  brand_color text,
  logo bytea,
  logo_hash text generated always as ("left"(encode(sha256(logo), 'hex'::text), 16)) stored,
  sends_receipts boolean default true not null,
  sends_notices boolean default true not null,
  notice_address text,
  reply_to text,
  reminder_hours integer,
  login_mode text default 'test'::text not null,
  attaches_receipts boolean default false not null,
  support_email text,
  support_phone text,
  website text,
  postal_address text,
  vat_id text,
  imprint_url text,
  terms_url text,
  privacy_url text,
  statement_descriptor text,
  logo_file text,
  dark_logo_file text,
  logo_ratio integer,
  constraint companies_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint companies_company_id_check CHECK ((company_id ~ '^co_[0-9a-hjkmnp-tv-z]{8}$'::text)),
  constraint companies_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint companies_dark_logo_file_check CHECK ((dark_logo_file ~ '^[0-9a-f]{16}\.(png|svg)$'::text)),
  constraint companies_identity_https CHECK (((COALESCE(website, 'https://'::text) ~* '^https://'::text) AND (COALESCE(imprint_url, 'https://'::text) ~* '^https://'::text) AND (COALESCE(terms_url, 'https://'::text) ~* '^https://'::text) AND (COALESCE(privacy_url, 'https://'::text) ~* '^https://'::text))) NOT VALID,
  constraint companies_imprint_url_check CHECK (((length(imprint_url) <= 2048) AND (imprint_url ~* '^https?://'::text))),
  constraint companies_login_mode_check CHECK ((login_mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint companies_logo_check CHECK ((length(logo) <= 8000)),
  constraint companies_logo_file_check CHECK ((logo_file ~ '^[0-9a-f]{16}\.(png|svg)$'::text)),
  constraint companies_logo_ratio_check CHECK (((logo_ratio >= 0) AND (logo_ratio <= 1000000))),
  constraint companies_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint companies_notice_address_check CHECK (((length(notice_address) >= 3) AND (length(notice_address) <= 254))),
  constraint companies_pkey PRIMARY KEY (company_id),
  constraint companies_postal_address_check CHECK ((((length(postal_address) >= 1) AND (length(postal_address) <= 300)) AND (postal_address !~ '(\n[^\n]*){5}'::text))),
  constraint companies_privacy_url_check CHECK (((length(privacy_url) <= 2048) AND (privacy_url ~* '^https?://'::text))),
  constraint companies_reminder_hours_check CHECK (((reminder_hours >= 1) AND (reminder_hours <= 168))),
  constraint companies_reply_to_check CHECK (((length(reply_to) >= 3) AND (length(reply_to) <= 254))),
  constraint companies_retry_policy_check CHECK ((retry_policy = ANY (ARRAY['none'::text, 'fixable'::text, 'all'::text]))),
  constraint companies_statement_descriptor_check CHECK (((statement_descriptor ~ '^[A-Za-z0-9 .*-]{5,22}$'::text) AND (statement_descriptor ~ '[A-Za-z]'::text))),
  constraint companies_support_email_check CHECK (((length(support_email) >= 3) AND (length(support_email) <= 254))),
  constraint companies_support_phone_check CHECK (((length(support_phone) >= 3) AND (length(support_phone) <= 32))),
  constraint companies_terms_url_check CHECK (((length(terms_url) <= 2048) AND (terms_url ~* '^https?://'::text))),
  constraint companies_vat_id_check CHECK (((length(vat_id) >= 4) AND (length(vat_id) <= 32))),
  constraint companies_website_check CHECK (((length(website) <= 2048) AND (website ~* '^https?://'::text)))
);
CREATE INDEX companies_reminding ON public.companies USING btree (company_id) WHERE (reminder_hours IS NOT NULL);
alter table companies enable row level security;
alter table companies force row level security;
create policy roll_call on companies as permissive for select to paylink_system
  using (true);
create policy tenant on companies as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on companies to paylink_tenant;
grant select (company_id) on companies to paylink_system;
grant select (reminder_hours) on companies to paylink_system;

create table company_cells (
  company text not null,
  cell text not null,
  constraint company_cells_cell_fkey FOREIGN KEY (cell) REFERENCES cells(name),
  constraint company_cells_pkey PRIMARY KEY (company)
);
CREATE INDEX company_cells_cell ON public.company_cells USING btree (cell);
grant delete, insert, select, update on company_cells to paylink_system;

create table company_homes (
  company text not null,
  status text not null,
  other_cell text,
  changed_at timestamp with time zone default statement_timestamp() not null,
  other_timeline text,
  constraint company_homes_check CHECK (((other_cell IS NULL) = (status = 'home'::text))),
  constraint company_homes_check1 CHECK (((other_timeline IS NULL) OR (status = 'gone'::text))),
  constraint company_homes_pkey PRIMARY KEY (company),
  constraint company_homes_status_check CHECK ((status = ANY (ARRAY['home'::text, 'arriving'::text, 'gone'::text])))
);
CREATE INDEX company_homes_away ON public.company_homes USING btree (company) WHERE (status <> 'home'::text);
grant insert, select, update on company_homes to paylink_system;

create table company_logos (
  company_id text not null,
  variant text not null,
  content_type text not null,
  content bytea not null,
  file_name text generated always as (("left"(encode(sha256(content), 'hex'::text), 16) ||
CASE content_type
    WHEN 'image/png'::text THEN '.png'::text
    ELSE '.svg'::text
END)) stored not null,
  constraint company_logos_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint company_logos_content_check CHECK (((length(content) >= 1) AND (length(content) <= 100000))),
  constraint company_logos_content_type_check CHECK ((content_type = ANY (ARRAY['image/png'::text, 'image/svg+xml'::text]))),
  constraint company_logos_pkey PRIMARY KEY (company_id, variant),
  constraint company_logos_variant_check CHECK ((variant = ANY (ARRAY['light'::text, 'dark'::text])))
);
alter table company_logos enable row level security;
alter table company_logos force row level security;
create policy tenant on company_logos as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete, insert, select, update on company_logos to paylink_tenant;

create table connections (
  company_id text not null,
  connection_id text not null,
  processor text not null,
  mode text default current_mode() not null,
  name text not null,
  holder text default ''::text not null,
  account text default ''::text not null,
  currencies text[] not null,
  "position" integer not null,
  is_enabled boolean default true not null,
  sealed bytea,
  key_id text,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  failures integer default 0 not null,
  open_until timestamp with time zone,
  compared_until timestamp with time zone default now() not null,
  offers text[] default '{}'::text[] not null,
  constraint connections_account_check CHECK ((length(account) <= 200)),
  constraint connections_check CHECK (((sealed IS NULL) = (key_id IS NULL))),
  constraint connections_check1 CHECK (((deleted_at IS NULL) OR (NOT is_enabled))),
  constraint connections_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint connections_connection_id_check CHECK ((connection_id ~ '^con_[0-9a-hjkmnp-tv-z]{24}$'::text)),
  constraint connections_currencies_check CHECK (((cardinality(currencies) >= 1) AND (cardinality(currencies) <= 20))),
  constraint connections_failures_check CHECK ((failures >= 0)),
  constraint connections_holder_check CHECK ((length(holder) <= 200)),
  constraint connections_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint connections_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint connections_pkey PRIMARY KEY (company_id, connection_id, mode),
  constraint connections_position_check CHECK ((("position" >= 0) AND ("position" <= 1000))),
  constraint connections_processor_check CHECK (((length(processor) >= 1) AND (length(processor) <= 40)))
);
CREATE INDEX connections_order ON public.connections USING btree (company_id, mode, "position", connection_id) WHERE (deleted_at IS NULL);
alter table connections enable row level security;
alter table connections force row level security;
create policy every_connection on connections as permissive for select to paylink_system
  using ((deleted_at IS NULL));
create policy tenant on connections as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on connections to paylink_tenant;
grant select (company_id) on connections to paylink_system;
grant select (processor) on connections to paylink_system;
grant select (mode) on connections to paylink_system;
grant select (is_enabled) on connections to paylink_system;
grant select (deleted_at) on connections to paylink_system;
grant select (open_until) on connections to paylink_system;

create table database_moves (
  is_only_row boolean default true not null,
  move_id text not null,
  state text not null,
  arrived_at timestamp with time zone default now() not null,
  constraint database_moves_is_only_row_check CHECK (is_only_row),
  constraint database_moves_move_id_check CHECK ((move_id ~ '^[0-9a-z]{26}$'::text)),
  constraint database_moves_pkey PRIMARY KEY (is_only_row),
  constraint database_moves_state_check CHECK ((state = ANY (ARRAY['arrived'::text, 'finished'::text])))
);
grant select on database_moves to paylink_system;

create table directory_logins (
  email text not null,
  company text not null,
  account_id text not null,
  claimed_at timestamp with time zone default statement_timestamp() not null,
  constraint directory_logins_pkey PRIMARY KEY (email)
);
CREATE INDEX directory_logins_account ON public.directory_logins USING btree (company, account_id);
grant delete, insert, select, update on directory_logins to paylink_system;

create table event_numbers (
  is_only_row boolean default true not null,
  base bigint default 0 not null,
  constraint event_numbers_base_check CHECK ((base >= 0)),
  constraint event_numbers_is_only_row_check CHECK (is_only_row),
  constraint event_numbers_pkey PRIMARY KEY (is_only_row)
);
grant select on event_numbers to paylink_system;
grant select on event_numbers to paylink_tenant;
grant update (base) on event_numbers to paylink_system;

create table event_seals (
  company_id text not null,
  "position" bigint not null,
  event_id text not null,
  xact xid8 not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null,
  constraint event_seals_company_id_event_id_key UNIQUE (company_id, event_id),
  constraint event_seals_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint event_seals_hash_check CHECK ((length(hash) = 32)),
  constraint event_seals_pkey PRIMARY KEY (company_id, "position"),
  constraint event_seals_position_check CHECK (("position" > 0))
);
alter table event_seals enable row level security;
alter table event_seals force row level security;
create policy tenant on event_seals as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select on event_seals to paylink_tenant;

create table events (
  company_id text not null,
  event_id text not null,
  type text not null,
  is_public boolean not null,
  payment_id text,
  attempt_id text,
  actor text not null,
  data jsonb not null,
  at timestamp with time zone not null,
  xact xid8 default event_number() not null,
  mode text default current_mode(),
  constraint events_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint events_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint events_of_payments_have_mode CHECK (((payment_id IS NULL) OR (mode IS NOT NULL))),
  constraint events_pkey PRIMARY KEY (company_id, event_id),
  constraint events_public_have_mode CHECK (((NOT is_public) OR (mode IS NOT NULL)))
);
CREATE INDEX events_of_company ON public.events USING btree (company_id, event_id) WHERE (payment_id IS NULL);
CREATE INDEX events_order ON public.events USING btree (company_id, xact, event_id);
CREATE INDEX events_payment ON public.events USING btree (company_id, payment_id, xact, event_id);
CREATE INDEX events_public ON public.events USING btree (company_id, mode, xact, event_id) WHERE is_public;
CREATE INDEX events_unsealed ON public.events USING btree (xact, company_id);
alter table events enable row level security;
alter table events force row level security;
create policy tenant on events as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND ((mode = ANY (current_modes())) OR ((mode IS NULL) AND (current_modes() IS NOT NULL)))))
  with check (((company_id = current_company()) AND ((mode = ANY (current_modes())) OR ((mode IS NULL) AND (current_modes() IS NOT NULL)))));
create policy unsealed on events as permissive for select to paylink_system
  using ((xact >= LEAST(( SELECT seal_progress.sealed_below
   FROM seal_progress), ( SELECT payment_word_progress.filled_below
   FROM payment_word_progress))));
CREATE TRIGGER events_enqueue_webhooks AFTER INSERT ON public.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN ((current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION enqueue_webhooks();
CREATE TRIGGER events_queue_account_mails AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.type = ANY (ARRAY['password.changed'::text, 'password.reset'::text, 'second_factor.added'::text, 'second_factor.removed'::text, 'recovery_codes.made'::text])) AND (current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION queue_account_mails();
CREATE TRIGGER events_queue_endpoint_mails AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.type = 'webhook_endpoint.disabled'::text) AND (current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION queue_endpoint_mails();
CREATE TRIGGER events_queue_invitation_mails AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.type = 'member.invited'::text) AND (current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION queue_invitation_mails();
CREATE TRIGGER events_queue_link_request_mails AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.type = 'payment.link_requested'::text) AND (current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION queue_link_request_mails();
CREATE TRIGGER events_queue_mails AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.type = ANY (ARRAY['payment.paid'::text, 'refund.succeeded'::text, 'payment.link_sent'::text, 'payment.reminded'::text])) AND (current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION queue_mails();
CREATE TRIGGER events_queue_password_mails AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.type = 'password.reset_asked'::text) AND (current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION queue_password_mails();
grant select on events to paylink_tenant;
grant insert (company_id) on events to paylink_tenant;
grant select (company_id) on events to paylink_system;
grant insert (event_id) on events to paylink_tenant;
grant insert (type) on events to paylink_tenant;
grant insert (is_public) on events to paylink_tenant;
grant insert (payment_id) on events to paylink_tenant;
grant insert (attempt_id) on events to paylink_tenant;
grant insert (actor) on events to paylink_tenant;
grant insert (data) on events to paylink_tenant;
grant insert (at) on events to paylink_tenant;
grant select (at) on events to paylink_system;
grant select (xact) on events to paylink_system;

create table idempotency_keys (
  company_id text not null,
  account_id text not null,
  key text not null,
  fingerprint bytea not null,
  state text default 'running'::text not null,
  seed bytea not null,
  subject_at timestamp with time zone not null,
  leased_until timestamp with time zone not null,
  status integer,
  answer bytea,
  created_at timestamp with time zone default clock_timestamp() not null,
  mode text default current_mode() not null,
  follows_test_clock boolean default false not null,
  constraint idempotency_keys_check CHECK (((state = 'done'::text) = ((status IS NOT NULL) AND (answer IS NOT NULL)))),
  constraint idempotency_keys_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint idempotency_keys_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_keys_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint idempotency_keys_pkey PRIMARY KEY (company_id, account_id, key, mode),
  constraint idempotency_keys_seed_check CHECK ((length(seed) = 32)),
  constraint idempotency_keys_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text]))),
  constraint idempotency_keys_status_check CHECK (((status >= 200) AND (status <= 599)))
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy outlived_delete on idempotency_keys as permissive for delete to paylink_system
  using ((created_at < (clock_timestamp() - '48:00:00'::interval)));
create policy outlived_select on idempotency_keys as permissive for select to paylink_system
  using ((created_at < (clock_timestamp() - '48:00:00'::interval)));
create policy tenant on idempotency_keys as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant delete on idempotency_keys to paylink_system;
grant delete, insert, select, update on idempotency_keys to paylink_tenant;
grant select (created_at) on idempotency_keys to paylink_system;

create table invitations (
  company_id text not null,
  invitation_id text not null,
  email text not null,
  roles text[] not null,
  token_digest bytea not null,
  invited_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  account_id text,
  constraint invitations_check CHECK (((accepted_at IS NULL) = (account_id IS NULL))),
  constraint invitations_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint invitations_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint invitations_company_id_invited_by_fkey FOREIGN KEY (company_id, invited_by) REFERENCES accounts(company_id, account_id),
  constraint invitations_company_id_token_digest_key UNIQUE (company_id, token_digest),
  constraint invitations_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint invitations_pkey PRIMARY KEY (company_id, invitation_id),
  constraint invitations_roles_check CHECK (((cardinality(roles) > 0) AND (roles <@ ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'support'::text, 'viewer'::text]))),
  constraint invitations_token_digest_check CHECK ((length(token_digest) = 32))
);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy tenant on invitations as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on invitations to paylink_tenant;

create table known_clients (
  account_digest text not null,
  client_digest text not null,
  seen_at timestamp with time zone not null,
  constraint known_clients_pkey PRIMARY KEY (account_digest, client_digest)
);
CREATE INDEX known_clients_age ON public.known_clients USING btree (seen_at);
grant delete, insert, select, update on known_clients to paylink_system;

create table ledger_entries (
  company_id text not null,
  entry_id text not null,
  kind text not null,
  debit_account text not null,
  credit_account text not null,
  amount_minor bigint not null,
  currency text not null,
  payment_id text not null,
  source_id text not null,
  at timestamp with time zone not null,
  mode text default current_mode() not null,
  constraint ledger_entries_amount_minor_check CHECK ((amount_minor > 0)),
  constraint ledger_entries_check CHECK ((debit_account <> credit_account)),
  constraint ledger_entries_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint ledger_entries_company_id_payment_id_mode_fkey FOREIGN KEY (company_id, payment_id, mode) REFERENCES payments(company_id, payment_id, mode),
  constraint ledger_entries_company_id_source_id_kind_mode_key UNIQUE (company_id, source_id, kind, mode),
  constraint ledger_entries_credit_account_check CHECK ((credit_account = ANY (ARRAY['processor'::text, 'merchant'::text, 'refunds'::text, 'fees'::text, 'suspense'::text]))),
  constraint ledger_entries_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint ledger_entries_debit_account_check CHECK ((debit_account = ANY (ARRAY['processor'::text, 'merchant'::text, 'refunds'::text, 'fees'::text, 'suspense'::text]))),
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['capture'::text, 'refund'::text, 'surplus'::text, 'surplus_refund'::text, 'refund_reversal'::text, 'surplus_refund_reversal'::text]))),
  constraint ledger_entries_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint ledger_entries_pkey PRIMARY KEY (company_id, mode, entry_id)
);
CREATE INDEX ledger_entries_payment ON public.ledger_entries USING btree (company_id, payment_id, entry_id);
alter table ledger_entries enable row level security;
alter table ledger_entries force row level security;
create policy tenant on ledger_entries as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select on ledger_entries to paylink_tenant;

create table ledger_totals (
  company_id text not null,
  debit_account text not null,
  credit_account text not null,
  currency text not null,
  shard integer not null,
  amount_minor bigint not null,
  mode text default current_mode() not null,
  constraint ledger_totals_amount_minor_check CHECK ((amount_minor > 0)),
  constraint ledger_totals_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint ledger_totals_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint ledger_totals_pkey PRIMARY KEY (company_id, debit_account, credit_account, currency, shard, mode)
);
alter table ledger_totals enable row level security;
alter table ledger_totals force row level security;
create policy tenant on ledger_totals as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on ledger_totals to paylink_tenant;

create table login_failures (
  account_digest text not null,
  client_digest text not null,
  failed_at timestamp with time zone not null
);
CREATE INDEX login_failures_age ON public.login_failures USING btree (failed_at);
CREATE INDEX login_failures_pair ON public.login_failures USING btree (account_digest, client_digest, failed_at);
grant delete, insert, select, update on login_failures to paylink_system;

create table logins (
  email text not null,
  company_id text not null,
  account_id text not null,
  constraint logins_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint logins_pkey PRIMARY KEY (email)
);
CREATE INDEX logins_account ON public.logins USING btree (company_id, account_id);
CREATE UNIQUE INDEX logins_of_company ON public.logins USING btree (company_id, email);
alter table logins enable row level security;
alter table logins force row level security;
create policy directory on logins as permissive for select to paylink_system
  using (true);
create policy tenant on logins as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete, insert, select, update on logins to paylink_tenant;
grant select on logins to paylink_system;

create table mails (
  company_id text not null,
  mail_id text not null,
  event_id text not null,
  kind text not null,
  payment_id text,
  refund_id text,
  recipient text not null,
  state text default 'queued'::text not null,
  tries integer default 0 not null,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  mode text default current_mode(),
  constraint mails_about_check CHECK (((kind = ANY (ARRAY['endpoint'::text, 'password'::text, 'account'::text, 'invitation'::text])) = (payment_id IS NULL))),
  constraint mails_check CHECK (((state = 'queued'::text) = (ended_at IS NULL))),
  constraint mails_company_id_event_id_kind_key UNIQUE (company_id, event_id, kind),
  constraint mails_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint mails_company_id_payment_id_mode_fkey FOREIGN KEY (company_id, payment_id, mode) REFERENCES payments(company_id, payment_id, mode),
  constraint mails_company_id_refund_id_mode_fkey FOREIGN KEY (company_id, refund_id, mode) REFERENCES refunds(company_id, refund_id, mode),
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['link'::text, 'reminder'::text, 'receipt'::text, 'refund'::text, 'surplus'::text, 'notice'::text, 'endpoint'::text, 'password'::text, 'account'::text, 'invitation'::text, 'link_request'::text]))),
  constraint mails_last_error_check CHECK ((length(last_error) <= 500)),
  constraint mails_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint mails_of_payments_have_mode CHECK (((payment_id IS NULL) OR (mode IS NOT NULL))),
  constraint mails_pkey PRIMARY KEY (company_id, mail_id),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
);
CREATE INDEX mails_ended ON public.mails USING btree (ended_at) WHERE (state <> 'queued'::text);
CREATE INDEX mails_of_payment ON public.mails USING btree (company_id, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX mails_of_refund ON public.mails USING btree (company_id, refund_id) WHERE (refund_id IS NOT NULL);
CREATE INDEX mails_waiting ON public.mails USING btree (company_id, COALESCE(mode, 'none'::text), due_at, mail_id) WHERE (state = 'queued'::text);
alter table mails enable row level security;
alter table mails force row level security;
create policy due on mails as permissive for select to paylink_system
  using ((state = 'queued'::text));
create policy outlived_delete on mails as permissive for delete to paylink_system
  using ((ended_at < (clock_timestamp() - '30 days'::interval)));
create policy outlived_select on mails as permissive for select to paylink_system
  using ((ended_at < (clock_timestamp() - '30 days'::interval)));
create policy tenant on mails as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND ((mode = ANY (current_modes())) OR ((mode IS NULL) AND (current_modes() IS NOT NULL)))))
  with check (((company_id = current_company()) AND ((mode = ANY (current_modes())) OR ((mode IS NULL) AND (current_modes() IS NOT NULL)))));
grant delete on mails to paylink_system;
grant insert, select, update on mails to paylink_tenant;
grant select (company_id) on mails to paylink_system;
grant select (mail_id) on mails to paylink_system;
grant select (state) on mails to paylink_system;
grant select (due_at) on mails to paylink_system;
grant select (leased_until) on mails to paylink_system;
grant select (ended_at) on mails to paylink_system;
grant select (mode) on mails to paylink_system;

create table master_key_checks (
  key_id text not null,
  mac bytea not null,
  made_at timestamp with time zone default now() not null,
  constraint master_key_checks_key_id_check CHECK ((key_id ~ '^[0-9a-f]{16}$'::text)),
  constraint master_key_checks_mac_check CHECK ((octet_length(mac) = 32)),
  constraint master_key_checks_pkey PRIMARY KEY (key_id)
);
grant delete, insert, select on master_key_checks to paylink_system;

create table passkey_challenges (
  challenge text not null,
  account_id text,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_challenge_check CHECK (((length(challenge) >= 20) AND (length(challenge) <= 100))),
  constraint passkey_challenges_pkey PRIMARY KEY (challenge)
);
CREATE INDEX passkey_challenges_age ON public.passkey_challenges USING btree (expires_at);
grant delete, insert, select on passkey_challenges to paylink_system;

create table passkeys (
  company_id text not null,
  passkey_id text not null,
  account_id text not null,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint passkeys_company_id_credential_id_key UNIQUE (company_id, credential_id),
  constraint passkeys_credential_id_check CHECK ((length(credential_id) <= 1400)),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint passkeys_pkey PRIMARY KEY (company_id, passkey_id)
);
CREATE INDEX passkeys_account ON public.passkeys USING btree (company_id, account_id, passkey_id);
alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy tenant on passkeys as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete, insert, select, update on passkeys to paylink_tenant;

create table password_resets (
  company_id text not null,
  reset_id text not null,
  account_id text not null,
  token_digest bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint password_resets_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint password_resets_company_id_token_digest_key UNIQUE (company_id, token_digest),
  constraint password_resets_pkey PRIMARY KEY (company_id, reset_id),
  constraint password_resets_token_digest_check CHECK ((length(token_digest) = 32))
);
CREATE INDEX password_resets_account ON public.password_resets USING btree (company_id, account_id) WHERE (ended_at IS NULL);
CREATE INDEX password_resets_age ON public.password_resets USING btree (created_at);
alter table password_resets enable row level security;
alter table password_resets force row level security;
create policy outlived_delete on password_resets as permissive for delete to paylink_system
  using ((created_at < (clock_timestamp() - '30 days'::interval)));
create policy outlived_select on password_resets as permissive for select to paylink_system
  using ((created_at < (clock_timestamp() - '30 days'::interval)));
create policy tenant on password_resets as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete on password_resets to paylink_system;
grant insert, select, update on password_resets to paylink_tenant;
grant select (created_at) on password_resets to paylink_system;

create table payment_word_positions (
  company_id text not null,
  xact xid8 default '0'::xid8 not null,
  event_id text default ''::text not null,
  is_filled boolean default false not null,
  constraint payment_word_positions_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint payment_word_positions_pkey PRIMARY KEY (company_id)
);
CREATE INDEX payment_word_positions_unfilled ON public.payment_word_positions USING btree (company_id) WHERE (NOT is_filled);
alter table payment_word_positions enable row level security;
alter table payment_word_positions force row level security;
create policy every_position on payment_word_positions as permissive for select to paylink_system
  using (true);
create policy tenant on payment_word_positions as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on payment_word_positions to paylink_tenant;
grant select (company_id) on payment_word_positions to paylink_system;
grant select (xact) on payment_word_positions to paylink_system;
grant select (is_filled) on payment_word_positions to paylink_system;

create table payment_word_progress (
  is_only_row boolean default true not null,
  filled_below xid8 not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  constraint payment_word_progress_is_only_row_check CHECK (is_only_row),
  constraint payment_word_progress_pkey PRIMARY KEY (is_only_row)
);
grant select, update on payment_word_progress to paylink_system;

create table payment_words (
  company_id text not null,
  mode text default current_mode() not null,
  payment_id text not null,
  word text collate "C" not null,
  constraint payment_words_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint payment_words_pkey PRIMARY KEY (company_id, payment_id, word, mode),
  constraint payment_words_word_check CHECK (((length(word) >= 1) AND (length(word) <= 254)))
);
CREATE INDEX payment_words_by_word ON public.payment_words USING btree (((mode = 'live'::text)), company_id, word, payment_id DESC);
alter table payment_words enable row level security;
alter table payment_words force row level security;
create policy tenant on payment_words as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant delete, insert, select on payment_words to paylink_tenant;

create table payments (
  company_id text not null,
  payment_id text not null,
  code text not null,
  customer_order_id text not null,
  state text not null,
  mode text default current_mode() not null,
  amount_minor bigint not null,
  currency text not null,
  refunded_minor bigint default 0 not null,
  email text not null,
  first_name text,
  last_name text,
  phone text,
  phone_e164 text,
  country text not null,
  success_url text not null,
  failure_url text not null,
  description text,
  locale text,
  metadata jsonb default '{}'::jsonb not null,
  requested_expires_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer default 1 not null,
  refunding_minor bigint default 0 not null,
  requested_metadata jsonb,
  opened_at timestamp with time zone,
  reminded_at timestamp with time zone,
  search_order text collate "C" generated always as (fold_case(customer_order_id)) stored,
  search_email text collate "C" generated always as (fold_case(email)) stored,
  search_name text collate "C" generated always as (fold_case((first_name || COALESCE((' '::text || last_name), ''::text)))) stored,
  search_last_name text collate "C" generated always as (fold_case(last_name)) stored,
  customer_locale text,
  items jsonb default '[]'::jsonb not null,
  link_requested_at timestamp with time zone,
  constraint payments_amount_minor_check CHECK (((amount_minor >= 1) AND (amount_minor <= '9007199254740991'::bigint))),
  constraint payments_check CHECK (((refunded_minor >= 0) AND (refunded_minor <= amount_minor))),
  constraint payments_company_id_code_mode_key UNIQUE (company_id, code, mode),
  constraint payments_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint payments_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payments_customer_order_id_check CHECK (((length(customer_order_id) >= 1) AND (length(customer_order_id) <= 128))),
  constraint payments_failure_url_check CHECK ((length(failure_url) <= 2048)),
  constraint payments_items_total CHECK (((items = '[]'::jsonb) OR (items_total(items) = amount_minor))),
  constraint payments_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint payments_pkey PRIMARY KEY (company_id, payment_id, mode),
  constraint payments_refunding_minor_check CHECK ((refunding_minor >= 0)),
  constraint payments_refunds_after_payment CHECK (((state = 'paid'::text) OR ((refunded_minor = 0) AND (refunding_minor = 0)))),
  constraint payments_refunds_within_amount CHECK (((refunded_minor + refunding_minor) <= amount_minor)),
  constraint payments_state_check CHECK ((state = ANY (ARRAY['open'::text, 'processing'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'cancelled'::text]))),
  constraint payments_success_url_check CHECK ((length(success_url) <= 2048))
);
CREATE INDEX payments_by_email ON public.payments USING btree (company_id, ((mode = 'live'::text)), search_email, payment_id);
CREATE INDEX payments_by_order ON public.payments USING btree (company_id, ((mode = 'live'::text)), search_order, payment_id);
CREATE INDEX payments_by_state ON public.payments USING btree (company_id, ((mode = 'live'::text)), state, payment_id);
CREATE INDEX payments_by_time ON public.payments USING btree (company_id, ((mode = 'live'::text)), payment_id);
CREATE INDEX payments_ending ON public.payments USING btree (company_id, mode, ((reminded_at IS NULL)), expires_at) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX payments_one_live_per_order ON public.payments USING btree (company_id, mode, customer_order_id) WHERE (state = ANY (ARRAY['open'::text, 'processing'::text, 'paid'::text]));
alter table payments enable row level security;
alter table payments force row level security;
create policy due on payments as permissive for select to paylink_system
  using ((state = 'open'::text));
create policy tenant on payments as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on payments to paylink_tenant;
grant select (company_id) on payments to paylink_system;
grant select (payment_id) on payments to paylink_system;
grant select (state) on payments to paylink_system;
grant select (mode) on payments to paylink_system;
grant select (expires_at) on payments to paylink_system;
grant select (reminded_at) on payments to paylink_system;

create table processor_cases (
  company_id text not null,
  mode text default current_mode() not null,
  attempt_id text not null,
  code text not null,
  processor_reference text not null,
  payment_id text not null,
  amount_minor bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by text,
  closing_note text,
  constraint processor_cases_amount_minor_check CHECK ((amount_minor > 0)),
  constraint processor_cases_closed_by_somebody CHECK (((closed_at IS NULL) = (closed_by IS NULL))),
  constraint processor_cases_closing_note_check CHECK ((length(closing_note) <= 500)),
  constraint processor_cases_code_check CHECK ((code = ANY (ARRAY['currency_mismatch'::text, 'refund_exceeds_payment'::text]))),
  constraint processor_cases_company_id_attempt_id_mode_fkey FOREIGN KEY (company_id, attempt_id, mode) REFERENCES attempts(company_id, attempt_id, mode),
  constraint processor_cases_company_id_payment_id_mode_fkey FOREIGN KEY (company_id, payment_id, mode) REFERENCES payments(company_id, payment_id, mode),
  constraint processor_cases_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint processor_cases_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint processor_cases_pkey PRIMARY KEY (company_id, mode, attempt_id, code, processor_reference)
);
CREATE INDEX processor_cases_open ON public.processor_cases USING btree (company_id) WHERE (closed_at IS NULL);
CREATE INDEX processor_cases_payment ON public.processor_cases USING btree (company_id, payment_id);
alter table processor_cases enable row level security;
alter table processor_cases force row level security;
create policy open_cases on processor_cases as permissive for select to paylink_system
  using ((closed_at IS NULL));
create policy tenant on processor_cases as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select on processor_cases to paylink_tenant;
grant select (company_id) on processor_cases to paylink_system;
grant select (code) on processor_cases to paylink_system;
grant select (closed_at) on processor_cases to paylink_system;
grant update (closed_at) on processor_cases to paylink_tenant;
grant update (closed_by) on processor_cases to paylink_tenant;
grant update (closing_note) on processor_cases to paylink_tenant;

create table processor_notice_counts (
  company_id text not null,
  connection_id text not null,
  verdict text not null,
  count bigint not null,
  last_at timestamp with time zone not null,
  mode text default current_mode() not null,
  constraint processor_notice_counts_company_id_connection_id_mode_fkey FOREIGN KEY (company_id, connection_id, mode) REFERENCES connections(company_id, connection_id, mode),
  constraint processor_notice_counts_count_check CHECK ((count > 0)),
  constraint processor_notice_counts_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint processor_notice_counts_pkey PRIMARY KEY (company_id, connection_id, verdict, mode),
  constraint processor_notice_counts_verdict_check CHECK ((verdict = ANY (ARRAY['accepted'::text, 'irrelevant'::text, 'replayed'::text, 'mismatched'::text, 'forged'::text])))
);
alter table processor_notice_counts enable row level security;
alter table processor_notice_counts force row level security;
create policy tenant on processor_notice_counts as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on processor_notice_counts to paylink_tenant;

create table processor_notices (
  company_id text not null,
  connection_id text not null,
  notice_id text not null,
  received_at timestamp with time zone not null,
  mode text default current_mode() not null,
  constraint processor_notices_company_id_connection_id_mode_fkey FOREIGN KEY (company_id, connection_id, mode) REFERENCES connections(company_id, connection_id, mode),
  constraint processor_notices_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint processor_notices_notice_id_check CHECK (((length(notice_id) >= 1) AND (length(notice_id) <= 300))),
  constraint processor_notices_pkey PRIMARY KEY (company_id, connection_id, notice_id, mode)
);
CREATE INDEX processor_notices_age ON public.processor_notices USING btree (received_at);
alter table processor_notices enable row level security;
alter table processor_notices force row level security;
create policy outlived_delete on processor_notices as permissive for delete to paylink_system
  using ((received_at < (clock_timestamp() - '60 days'::interval)));
create policy outlived_select on processor_notices as permissive for select to paylink_system
  using ((received_at < (clock_timestamp() - '60 days'::interval)));
create policy tenant on processor_notices as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant delete on processor_notices to paylink_system;
grant insert, select on processor_notices to paylink_tenant;
grant select (received_at) on processor_notices to paylink_system;

create unlogged table rate_limits (
  bucket text not null,
  full_at timestamp with time zone not null,
  constraint rate_limits_pkey PRIMARY KEY (bucket)
);
grant delete, insert, select, update on rate_limits to paylink_system;

create table recovery_codes (
  company_id text not null,
  account_id text not null,
  code_digest bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_code_digest_check CHECK ((length(code_digest) = 32)),
  constraint recovery_codes_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint recovery_codes_pkey PRIMARY KEY (company_id, account_id, code_digest)
);
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
create policy tenant on recovery_codes as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete, insert, select, update on recovery_codes to paylink_tenant;

create table refunds (
  company_id text not null,
  refund_id text not null,
  payment_id text not null,
  attempt_id text not null,
  kind text not null,
  state text not null,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  processor_reference text,
  failure_code text,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  escalated_at timestamp with time zone,
  reversed_at timestamp with time zone,
  outside_reference text,
  mode text default current_mode() not null,
  due_at timestamp with time zone default (statement_timestamp() + '00:00:15'::interval) not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  last_error text,
  target text default 'unknown'::text not null,
  constraint refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refunds_company_id_attempt_id_mode_fkey FOREIGN KEY (company_id, attempt_id, mode) REFERENCES attempts(company_id, attempt_id, mode),
  constraint refunds_company_id_payment_id_mode_fkey FOREIGN KEY (company_id, payment_id, mode) REFERENCES payments(company_id, payment_id, mode),
  constraint refunds_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint refunds_kind_check CHECK ((kind = ANY (ARRAY['merchant'::text, 'surplus'::text]))),
  constraint refunds_last_error_check CHECK ((length(last_error) <= 500)),
  constraint refunds_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint refunds_pkey PRIMARY KEY (company_id, refund_id, mode),
  constraint refunds_reason_check CHECK ((length(reason) <= 500)),
  constraint refunds_reversed_has_failed CHECK (((reversed_at IS NULL) OR (state = 'failed'::text))),
  constraint refunds_state_check CHECK ((state = ANY (ARRAY['created'::text, 'processing'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX refunds_attempt ON public.refunds USING btree (company_id, attempt_id);
CREATE INDEX refunds_by_state ON public.refunds USING btree (company_id, ((mode = 'live'::text)), state, refund_id);
CREATE INDEX refunds_by_time ON public.refunds USING btree (company_id, ((mode = 'live'::text)), refund_id);
CREATE INDEX refunds_due ON public.refunds USING btree (company_id, (((mode || ' '::text) || target)), due_at, refund_id) WHERE (state = ANY (ARRAY['created'::text, 'processing'::text, 'unknown'::text]));
CREATE INDEX refunds_escalated ON public.refunds USING btree (company_id, escalated_at) WHERE ((escalated_at IS NOT NULL) AND (state <> 'succeeded'::text));
CREATE UNIQUE INDEX refunds_one_per_outside_reference ON public.refunds USING btree (company_id, mode, attempt_id, outside_reference) WHERE (outside_reference IS NOT NULL);
CREATE UNIQUE INDEX refunds_one_surplus_per_attempt ON public.refunds USING btree (company_id, mode, attempt_id) WHERE ((kind = 'surplus'::text) AND (state <> 'failed'::text));
CREATE INDEX refunds_payment ON public.refunds USING btree (company_id, payment_id, refund_id);
alter table refunds enable row level security;
alter table refunds force row level security;
create policy cases on refunds as permissive for select to paylink_system
  using (((escalated_at IS NOT NULL) OR (kind = 'surplus'::text)));
create policy tenant on refunds as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
create policy waiting on refunds as permissive for select to paylink_system
  using ((state = ANY (ARRAY['created'::text, 'processing'::text, 'unknown'::text])));
CREATE TRIGGER refunds_set_target BEFORE INSERT ON public.refunds FOR EACH ROW WHEN ((current_setting('paylink.is_import'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION set_refund_target();
grant insert, select, update on refunds to paylink_tenant;
grant select (company_id) on refunds to paylink_system;
grant select (refund_id) on refunds to paylink_system;
grant select (attempt_id) on refunds to paylink_system;
grant select (kind) on refunds to paylink_system;
grant select (state) on refunds to paylink_system;
grant select (escalated_at) on refunds to paylink_system;
grant select (mode) on refunds to paylink_system;
grant select (due_at) on refunds to paylink_system;
grant select (leased_until) on refunds to paylink_system;
grant select (lease_token) on refunds to paylink_system;
grant select (last_error) on refunds to paylink_system;
grant select (target) on refunds to paylink_system;

create table sandbox_charges (
  company_id text not null,
  idempotency_key text not null,
  reference text not null,
  state text not null,
  after_challenge text,
  decline_code text,
  amount_minor bigint not null,
  currency text not null,
  return_url text,
  merchant_name text,
  locale text,
  settles_at timestamp with time zone,
  created_at timestamp with time zone not null,
  mode text default current_mode() not null,
  refund_faults jsonb default '{}'::jsonb not null,
  constraint sandbox_charges_after_challenge_check CHECK ((after_challenge = ANY (ARRAY['succeeded'::text, 'declined'::text]))),
  constraint sandbox_charges_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint sandbox_charges_company_id_reference_mode_key UNIQUE (company_id, reference, mode),
  constraint sandbox_charges_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint sandbox_charges_pkey PRIMARY KEY (company_id, idempotency_key, mode),
  constraint sandbox_charges_refund_faults_check CHECK ((jsonb_typeof(refund_faults) = 'object'::text)),
  constraint sandbox_charges_state_check CHECK ((state = ANY (ARRAY['challenge'::text, 'pending'::text, 'succeeded'::text, 'declined'::text, 'void'::text])))
);
alter table sandbox_charges enable row level security;
alter table sandbox_charges force row level security;
create policy tenant on sandbox_charges as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on sandbox_charges to paylink_tenant;

create table sandbox_refunds (
  company_id text not null,
  idempotency_key text not null,
  charge_reference text not null,
  reference text not null,
  state text not null,
  amount_minor bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  mode text default current_mode() not null,
  constraint sandbox_refunds_amount_minor_check CHECK ((amount_minor > 0)),
  constraint sandbox_refunds_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint sandbox_refunds_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint sandbox_refunds_pkey PRIMARY KEY (company_id, idempotency_key, mode),
  constraint sandbox_refunds_state_check CHECK ((state = ANY (ARRAY['succeeded'::text, 'failed'::text])))
);
CREATE INDEX sandbox_refunds_charge ON public.sandbox_refunds USING btree (company_id, charge_reference);
alter table sandbox_refunds enable row level security;
alter table sandbox_refunds force row level security;
create policy tenant on sandbox_refunds as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select on sandbox_refunds to paylink_tenant;

create table scheduled_jobs (
  name text not null,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  failures integer default 0 not null,
  last_error text,
  failed_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  constraint scheduled_jobs_last_error_check CHECK ((length(last_error) <= 500)),
  constraint scheduled_jobs_pkey PRIMARY KEY (name)
);
grant insert, select, update on scheduled_jobs to paylink_system;

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table seal_progress (
  is_only_row boolean default true not null,
  sealed_below xid8 default '0'::xid8 not null,
  constraint seal_progress_is_only_row_check CHECK (is_only_row),
  constraint seal_progress_pkey PRIMARY KEY (is_only_row)
);
grant select, update on seal_progress to paylink_system;

create table service_keys (
  company_id text not null,
  key_id text not null,
  mode text not null,
  name text not null,
  secret_digest bytea not null,
  scopes text[] not null,
  allowed_addresses text[] default '{}'::text[] not null,
  first_key_id text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone,
  replaced_by text,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint service_keys_allowed_addresses_check CHECK ((cardinality(allowed_addresses) <= 32)),
  constraint service_keys_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint service_keys_key_id_check CHECK ((key_id ~ '^[0-9a-hjkmnp-tv-z]{16}$'::text)),
  constraint service_keys_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint service_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint service_keys_pkey PRIMARY KEY (company_id, key_id),
  constraint service_keys_replaced_expires CHECK (((replaced_by IS NULL) OR (expires_at IS NOT NULL))),
  constraint service_keys_scopes CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['payments:create'::text, 'payments:read'::text, 'payments:update'::text, 'payments:cancel'::text, 'payments:refund'::text, 'events:read'::text, 'balances:read'::text, 'bank:read'::text, 'exports:read'::text, 'webhooks:read'::text, 'webhooks:manage'::text, 'processors:read'::text, 'company:read'::text, 'audit:read'::text, 'requests:read'::text]))),
  constraint service_keys_secret_digest_check CHECK ((length(secret_digest) = 32))
);
alter table service_keys enable row level security;
alter table service_keys force row level security;
create policy tenant on service_keys as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on service_keys to paylink_tenant;

create table sessions (
  company_id text not null,
  session_id text not null,
  account_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sessions_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint sessions_pkey PRIMARY KEY (company_id, session_id)
);
CREATE INDEX sessions_account ON public.sessions USING btree (company_id, account_id);
alter table sessions enable row level security;
alter table sessions force row level security;
create policy tenant on sessions as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant insert, select, update on sessions to paylink_tenant;

create table test_clocks (
  company_id text not null,
  mode text default current_mode() not null,
  offset_ms bigint not null,
  target_ms bigint not null,
  moved_at timestamp with time zone not null,
  constraint test_clocks_check CHECK ((offset_ms <= target_ms)),
  constraint test_clocks_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint test_clocks_mode_check CHECK ((mode = 'test'::text)),
  constraint test_clocks_offset_ms_check CHECK ((offset_ms >= 0)),
  constraint test_clocks_pkey PRIMARY KEY (company_id, mode),
  constraint test_clocks_target_ms_check CHECK ((target_ms <= '63072000000'::bigint))
);
alter table test_clocks enable row level security;
alter table test_clocks force row level security;
create policy every_clock on test_clocks as permissive for select to paylink_system
  using (true);
create policy tenant on test_clocks as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
CREATE TRIGGER test_clocks_move_forward BEFORE UPDATE ON public.test_clocks FOR EACH ROW EXECUTE FUNCTION refuse_clock_backwards();
grant insert, select, update on test_clocks to paylink_tenant;
grant select (company_id) on test_clocks to paylink_system;
grant select (mode) on test_clocks to paylink_system;
grant select (offset_ms) on test_clocks to paylink_system;
grant select (target_ms) on test_clocks to paylink_system;
grant select (moved_at) on test_clocks to paylink_system;

create table this_cell (
  is_only_row boolean default true not null,
  name text not null,
  database_id uuid not null,
  installation_id uuid not null,
  is_directory boolean not null,
  constraint this_cell_is_only_row_check CHECK (is_only_row),
  constraint this_cell_pkey PRIMARY KEY (is_only_row)
);
grant select on this_cell to paylink_system;

create table totp_secrets (
  company_id text not null,
  account_id text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  constraint totp_secrets_company_id_account_id_fkey FOREIGN KEY (company_id, account_id) REFERENCES accounts(company_id, account_id),
  constraint totp_secrets_pkey PRIMARY KEY (company_id, account_id)
);
alter table totp_secrets enable row level security;
alter table totp_secrets force row level security;
create policy tenant on totp_secrets as permissive for all to paylink_tenant
  using ((company_id = current_company()))
  with check ((company_id = current_company()));
grant delete, insert, select, update on totp_secrets to paylink_tenant;

create table webhook_deliveries (
  company_id text not null,
  delivery_id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_at timestamp with time zone not null,
  state text default 'pending'::text not null,
  step integer default 0 not null,
  tries integer default 0 not null,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  lease_token bigint default 0 not null,
  ended_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  mode text default current_mode() not null,
  constraint webhook_deliveries_check CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
  constraint webhook_deliveries_company_id_endpoint_id_mode_fkey FOREIGN KEY (company_id, endpoint_id, mode) REFERENCES webhook_endpoints(company_id, endpoint_id, mode),
  constraint webhook_deliveries_company_id_event_id_endpoint_id_mode_key UNIQUE (company_id, event_id, endpoint_id, mode),
  constraint webhook_deliveries_company_id_event_id_fkey FOREIGN KEY (company_id, event_id) REFERENCES events(company_id, event_id),
  constraint webhook_deliveries_delivery_id_check CHECK ((delivery_id ~ '^whd_'::text)),
  constraint webhook_deliveries_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint webhook_deliveries_pkey PRIMARY KEY (company_id, delivery_id, mode),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_age ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_endpoint ON public.webhook_deliveries USING btree (company_id, endpoint_id, delivery_id);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (company_id, endpoint_id, due_at, delivery_id) WHERE (state = 'pending'::text);
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy outlived_delete on webhook_deliveries as permissive for delete to paylink_system
  using ((created_at < (clock_timestamp() - '30 days'::interval)));
create policy outlived_select on webhook_deliveries as permissive for select to paylink_system
  using ((created_at < (clock_timestamp() - '30 days'::interval)));
create policy tenant on webhook_deliveries as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
create policy waiting on webhook_deliveries as permissive for select to paylink_system
  using ((state = 'pending'::text));
grant delete on webhook_deliveries to paylink_system;
grant insert, select, update on webhook_deliveries to paylink_tenant;
grant select (company_id) on webhook_deliveries to paylink_system;
grant select (delivery_id) on webhook_deliveries to paylink_system;
grant select (endpoint_id) on webhook_deliveries to paylink_system;
grant select (state) on webhook_deliveries to paylink_system;
grant select (due_at) on webhook_deliveries to paylink_system;
grant select (leased_until) on webhook_deliveries to paylink_system;
grant select (created_at) on webhook_deliveries to paylink_system;
grant select (mode) on webhook_deliveries to paylink_system;

create table webhook_endpoints (
  company_id text not null,
  endpoint_id text not null,
  mode text default current_mode() not null,
  url text not null,
  events text[] not null,
  description text,
  is_enabled boolean default true not null,
  off_reason text,
  failing_since timestamp with time zone,
  secret bytea not null,
  secret_id text not null,
  previous_secret bytea,
  previous_until timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  api_version text,
  constraint webhook_endpoints_api_version_check CHECK ((api_version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'::text)),
  constraint webhook_endpoints_check CHECK ((is_enabled = (off_reason IS NULL))),
  constraint webhook_endpoints_check1 CHECK (((deleted_at IS NULL) OR (NOT is_enabled))),
  constraint webhook_endpoints_check2 CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
  constraint webhook_endpoints_company_id_fkey FOREIGN KEY (company_id) REFERENCES companies(company_id),
  constraint webhook_endpoints_description_check CHECK ((length(description) <= 500)),
  constraint webhook_endpoints_endpoint_id_check CHECK ((endpoint_id ~ '^whe_'::text)),
  constraint webhook_endpoints_events_check CHECK (((cardinality(events) >= 1) AND (cardinality(events) <= 64))),
  constraint webhook_endpoints_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint webhook_endpoints_off_reason_check CHECK ((off_reason = ANY (ARRAY['switched_off'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_pkey PRIMARY KEY (company_id, endpoint_id, mode),
  constraint webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
);
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy switched_on on webhook_endpoints as permissive for select to paylink_system
  using (is_enabled);
create policy tenant on webhook_endpoints as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select, update on webhook_endpoints to paylink_tenant;
grant select (company_id) on webhook_endpoints to paylink_system;
grant select (endpoint_id) on webhook_endpoints to paylink_system;
grant select (mode) on webhook_endpoints to paylink_system;
grant select (is_enabled) on webhook_endpoints to paylink_system;
grant select (failing_since) on webhook_endpoints to paylink_system;

create table webhook_tries (
  company_id text not null,
  delivery_id text not null,
  try_id text not null,
  at timestamp with time zone not null,
  duration_ms integer not null,
  status integer,
  answer text,
  fault text,
  mode text default current_mode() not null,
  constraint webhook_tries_check CHECK ((((status IS NULL) = (fault IS NOT NULL)) AND ((status IS NULL) = (answer IS NULL)))),
  constraint webhook_tries_company_id_delivery_id_mode_fkey FOREIGN KEY (company_id, delivery_id, mode) REFERENCES webhook_deliveries(company_id, delivery_id, mode) ON DELETE CASCADE,
  constraint webhook_tries_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint webhook_tries_mode_check CHECK ((mode = ANY (ARRAY['test'::text, 'live'::text]))),
  constraint webhook_tries_pkey PRIMARY KEY (company_id, delivery_id, try_id, mode),
  constraint webhook_tries_try_id_check CHECK ((try_id ~ '^wht_'::text))
);
alter table webhook_tries enable row level security;
alter table webhook_tries force row level security;
create policy tenant on webhook_tries as permissive for all to paylink_tenant
  using (((company_id = current_company()) AND (mode = ANY (current_modes()))))
  with check (((company_id = current_company()) AND (mode = ANY (current_modes()))));
grant insert, select on webhook_tries to paylink_tenant;
