<?php
// Fills the blog: php blog-load.php HTDOCS posts.json, once, with an empty database.
[, $htdocs, $posts] = $argv;
$_SERVER['HTTP_HOST'] = 'blog.localhost:8112';
$_SERVER['REQUEST_URI'] = '/';
define('WP_INSTALLING', true);
function wp_mail() { return true; }
function wp_new_blog_notification() {}
require "$htdocs/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Notes on Debian', 'keeper', 'keeper@blog.localhost', true, '', wp_generate_password(24));
wp_installing(false);
foreach ([
    'siteurl' => 'http://blog.localhost:8112', 'home' => 'http://blog.localhost:8112', 'blogdescription' => 'What we found out',
    'posts_per_page' => 8, 'posts_per_rss' => 10, 'page_comments' => 1, 'comments_per_page' => 6, 'thread_comments' => 1,
    'thread_comments_depth' => 4, 'comment_moderation' => 0, 'comment_previously_approved' => 0, 'default_pingback_flag' => 0,
    'default_comments_page' => 'oldest', 'close_comments_for_old_posts' => 0, 'show_avatars' => 0, 'timezone_string' => 'UTC',
    'template' => 'twentytwentyone', 'stylesheet' => 'twentytwentyone', 'use_smilies' => 0,
] as $name => $value) update_option($name, $value);
$wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%postname%/');
delete_option('rewrite_rules'); // made anew by the first request, with tags and categories, which have none yet
update_option('widget_block', ['_multiwidget' => 1,
    2 => ['content' => '<!-- wp:search {"label":"Search"} /-->'],
    3 => ['content' => '<!-- wp:latest-posts {"postsToShow":4} /-->'],
    4 => ['content' => '<!-- wp:categories {"showPostCounts":true} /-->'],
    5 => ['content' => '<!-- wp:tag-cloud {"numberOfTags":14} /-->'],
    6 => ['content' => '<!-- wp:archives /-->'],
]);
update_option('sidebars_widgets', ['wp_inactive_widgets' => [], 'sidebar-1' => ['block-2', 'block-3', 'block-4', 'block-5', 'block-6'], 'array_version' => 3]);

wp_delete_post(1, true); // the examples that every blog begins with
wp_delete_post(2, true);
$authors = [];
foreach (['gita', 'henrik', 'ines', 'jun'] as $name) {
    $authors[$name] = wp_insert_user(['user_login' => $name, 'user_pass' => wp_generate_password(24), 'display_name' => ucfirst($name), 'role' => 'author']);
}
wp_defer_term_counting(true);
wp_defer_comment_counting(true);
$days = '';
foreach (json_decode(file_get_contents($posts), true) as $k => $post) {
    $categories = array_map(fn ($name) => term_exists($name, 'category')['term_id'] ?? wp_insert_term($name, 'category')['term_id'], $post['categories']);
    $id = wp_insert_post(wp_slash(['post_title' => $post['title'], 'post_content' => $post['content'], 'post_status' => 'publish',
        'post_author' => $authors[$post['author']], 'post_date' => $post['date'], 'post_date_gmt' => $post['date'],
        'post_category' => $categories, 'tags_input' => $post['tags'], 'comment_status' => 'open', 'ping_status' => 'closed']));
    $ids = [];
    foreach ($post['comments'] as $comment) {
        $ids[] = wp_insert_comment(wp_slash(['comment_post_ID' => $id, 'comment_author' => $comment['author'],
            'comment_author_email' => strtolower($comment['author']) . '@readers.localhost', 'comment_content' => $comment['text'],
            'comment_date' => $comment['date'], 'comment_date_gmt' => $comment['date'], 'comment_approved' => 1,
            'comment_parent' => $comment['answers'] === null ? 0 : $ids[$comment['answers']]]));
    }
    if ($k % 6 === 0) $days .= sprintf("<li><a href=\"%s\">%s</a> (<a href=\"/?p=%d\">short link</a>)</li>\n", get_day_link(...explode('-', substr($post['date'], 0, 10))), substr($post['date'], 0, 10), $id);
}
wp_defer_term_counting(false);
wp_defer_comment_counting(false);
$page = fn ($title, $text, $parent = 0) => wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title,
    'post_content' => $text, 'post_parent' => $parent, 'post_author' => $authors['gita'], 'post_date' => '2018-01-02 10:00:00']);
$about = $page('About', '<p>Four administrators write here what they found out about Debian: packages, networks, disks, mail, and how one thing hangs on another. The texts are sections of the books that Debian ships.</p>');
$page('Colophon', '<p>Written in an editor, kept in a database, shown by a theme that came with the software. No trackers of our own.</p>', $about);
$page('Contact', '<p>Write a comment below a post, or a letter on paper. We read both, and answer most of them within the month.</p>');
$page('Days', "<p>Some days on which something was written:</p>\n<ul>\n$days</ul>");
echo wp_count_posts()->publish, " posts\n";
