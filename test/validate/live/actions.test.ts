import { describe, expect, it } from 'vitest';
import { createActionTest } from '../../../src/validate/live/actions.js';

const isAction = createActionTest();

const ACTIONS = `
/logout
/Logout.aspx
/user/logout
/account/sign-out
/signOut
/log_out.php
/logoff/
/wiki/Special:UserLogout
/index.php?title=Special:UserLogout&returnto=Main
/wp-login.php?action=logout&_wpnonce=1
/ucp.php?mode=logout&sid=1
/a?do=logout
/a?logout
/a?logout=1
/a?x=logout
/%6Cogout
/%256cogout
/lo%67out?x
/déconnexion
/d%C3%A9connexion
/delete
/delete/3
/user/delete/3
/items/3/delete
/posts/12/delete-comment
/delete_user.php?id=3
/deleteUser?id=3
/deleteuser.php
/comment_remove.jsp
/cart/remove/7
/admin/deleteFile/9
/node/12/edit
/edit?action=submit
/index.php?title=A&action=edit
/index.php?title=A&action=delete
/index.php?title=A&action=purge
/index.php?title=A&action=rollback
/index.php?title=A&action=submit
/doku.php?id=a&do=edit
/a?op=delete&id=4
/a?cmd=user.remove
/a?task=article.trash
/a?_method=DELETE
/a?func=addComment
/a?id=3;action=delete
/a;action=delete?x=1
/?delete=12
/?delete[]=12
/?delete%5B%5D=12
/list?remove_item=abc
/list?removeItem=abc
/cart/add
/cart/add/12
/shop/add-to-cart/12
/shop/addToCart?id=1
/product/?add-to-cart=99
/?add_to_wishlist=4
/basket/empty
/checkout
/newsletter/unsubscribe/abc
/unsubscribe.php?u=3
/mail?unsubscribe=1
/posts/7/like
/posts/7/vote
/a?vote=up
/vote.php?id=3
/poll?upvote
/users/4/follow
/friends/4/unfollow
/notifications/mark-as-read
/reboot
/wp-admin/post.php?post=1&action=trash
/wp-cron.php
/cron.php?key=1
/abmelden
/artikel/loeschen/4
/artikel/l%C3%B6schen/4
`;

const PAGES = `
/
/blog/how-to-delete-a-file
/help/how-to-logout
/blog/why-you-should-unsubscribe
/like-new
/articles/vote-2024-results-by-county
/products/like-new/12
/category/removable-drives
/deleted-scenes
/undeleted
/dropbox
/news/2024/parliament-votes-to-remove-tariffs
/questions/5767325/how-can-i-remove-a-specific-item-from-an-array
/search?q=delete
/search?q=how+to+logout
/search?query=remove+file
/?s=unsubscribe+me
/list?sort=asc&order=desc
/list?order=price
/list?page=2&share=1
/a?submit=Search&q=x
/a?title=How+to+delete+a+file+in+linux
/a?title=Main_Page
/index.php?title=A&action=history
/index.php?title=A&action=raw
/index.php?title=A&oldid=3
/doku.php?id=start&do=export_raw
/viewtopic.php?t=3&start=20
/posting.html
/a?action=view
/a?action=print&id=3
/a?mode=list
/a?op=show
/a?cmd=display
/a?m=201305
/a?date=2024-01-01
/a?update_id=3
/editorial/12
/edition/3
/addresses/12
/additional-info
/books/saved-by-the-bell
/reports/2023/annual
/order-history-of-the-byzantine-empire
/purchases-and-sales
/buyers-guide
/a?redirect=https://example.com/some/long/page/with/words
/a?replytocom=12
/a?PHPSESSID=0a1b2c
/a?utm_source=newsletter&utm_medium=email
/docs/git-checkout
/docs/git-reset-hard
/archive/2012/05/
/~user/index.html
/cgi-bin/title.cgi?2172
/a;jsessionid=1F0
/a?&&=
/%FF%FE
/%zz?%
/confirmation.html
/movies/12
/cancellation-policy
/paypal
/payments.html
/sets/banner.png
/locker-room
`;

const lines = (table: string) => table.trim().split('\n');

describe('URLs that look like an action', () => {
  it.each(lines(ACTIONS))('refuses %s', (path) => expect(isAction(path)).toBe(true));
  it.each(lines(PAGES))('lets %s pass', (path) => expect(isAction(path)).toBe(false));

  it('does not depend on letter case, nor on the extension of a script', () => {
    const plain = lines(ACTIONS).filter((path) => !/[a-z][A-Z]|%/.test(path));
    expect(plain.length).toBeGreaterThan(50);
    for (const path of plain) expect(isAction(path.toUpperCase()), path).toBe(true);
    for (const path of ['/delete.php', '/delete.html', '/logout.do', '/x/unsubscribe.aspx']) {
      expect(isAction(path), path).toBe(true);
    }
  });

  it('accepts further phrases from the user', () => {
    const withMore = createActionTest(['bestellen', 'In den Warenkorb', '']);
    expect(['/x/bestellen', '/in-den-warenkorb/4', '/a?inDenWarenkorb=3'].map(withMore)).toEqual([true, true, true]);
    expect(['/x/bestellen', '/in-den-warenkorb/4'].map((path) => isAction(path))).toEqual([false, false]);
    expect(withMore('/warenkorb')).toBe(false);
    expect(withMore('/')).toBe(false);
  });

  it('takes little time for URLs made to waste it', () => {
    expect(isAction(`/${'a-'.repeat(50_000)}?${'x=%2525'.repeat(10_000)}&${'=&'.repeat(10_000)}`)).toBe(false);
  });
});
