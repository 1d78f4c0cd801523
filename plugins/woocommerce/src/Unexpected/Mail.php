<?php

declare(strict_types=1);

namespace FlorinWoo\Unexpected;

use WC_Email;

/** To the shop, about money that its order does not expect. Its recipient and subject are under WooCommerce, Settings, Emails. */
final class Mail extends WC_Email
{
    private string $text = '';

    public function __construct()
    {
        $this->id = 'florin_unexpected';
        $this->title = __('Unexpected payment (Florin)', 'florin-payments');
        $this->description = __('Sent to the shop when Florin received money that an order does not expect, such as a second payment.', 'florin-payments');
        $this->placeholders = ['{order_number}' => ''];
        parent::__construct();
        $this->recipient = $this->get_option('recipient', (string) get_option('admin_email'));
    }

    public function get_default_subject(): string
    {
        return __('[{site_title}]: Unexpected payment for order #{order_number}', 'florin-payments');
    }

    public function get_default_heading(): string
    {
        return __('Unexpected payment for order #{order_number}', 'florin-payments');
    }

    /** @param array<string, mixed> $record of Payments */
    public function trigger(array $record): void
    {
        $this->placeholders['{order_number}'] = (string) $record['number'];
        $order = wc_get_order($record['order']);
        $where = $order ? $order->get_edit_order_url() : admin_url();
        /* translators: %s: address of a page */
        $this->text = Payments::describe($record) . "\n\n" . sprintf(__('Refund it or keep it: %s', 'florin-payments'), $where);
        if ($this->is_enabled() && $this->get_recipient() !== '') {
            $this->send($this->get_recipient(), $this->get_subject(), $this->get_content(), $this->get_headers(), $this->get_attachments());
        }
    }

    public function get_content_html(): string
    {
        ob_start();
        do_action('woocommerce_email_header', $this->get_heading(), $this);
        echo wp_kses_post(wpautop(make_clickable(esc_html($this->text))));
        do_action('woocommerce_email_footer', $this);

        return (string) ob_get_clean();
    }

    public function get_content_plain(): string
    {
        return $this->text;
    }

    public function init_form_fields(): void
    {
        parent::init_form_fields();
        $this->form_fields = ['recipient' => [
            'title' => __('Recipient(s)', 'florin-payments'),
            'type' => 'text',
            'description' => __('E-mail addresses, separated by commas.', 'florin-payments'),
            'placeholder' => (string) get_option('admin_email'),
            'default' => '',
        ]] + $this->form_fields;
    }
}
