// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Decimal} from "./Decimal.sol";
import {IERC1155Receiver} from "./TokenReceiver.sol";

/// @title Lanterns
/// @notice Paper lanterns of a few kinds. Anyone folds as many as they like; they are light, and given away a lot.
contract Lanterns {
    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event URI(string value, uint256 indexed id);

    /// @notice There is no lantern of this kind.
    error UnknownKind(uint256 id);

    /// @notice `owner` has `balance` lanterns of this kind, fewer than `needed`.
    error NotEnough(address owner, uint256 id, uint256 balance, uint256 needed);

    /// @notice `caller` may not move the lanterns of `owner`.
    error NotAllowed(address caller, address owner);

    /// @notice As many kinds as amounts are needed.
    error LengthMismatch(uint256 ids, uint256 values);

    /// @notice `account` cannot hold lanterns.
    error InvalidRecipient(address account);

    string public constant name = "Lanterns";
    string public constant symbol = "LAMP";

    /// @notice Kinds are numbered from 1 to this.
    uint256 public constant KINDS = 8;

    mapping(address owner => mapping(uint256 id => uint256)) private _balances;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;

    constructor() {
        for (uint256 id = 1; id <= KINDS; id++) emit URI(uri(id), id);
    }

    /// @notice Folds `value` lanterns of one kind for the caller.
    function fold(uint256 id, uint256 value) external {
        _requireKind(id);
        _balances[msg.sender][id] += value;
        emit TransferSingle(msg.sender, address(0), msg.sender, id, value);
        _askReceiver(address(0), msg.sender, id, value, "");
    }

    /// @notice Folds lanterns of several kinds at once.
    function foldBatch(uint256[] calldata ids, uint256[] calldata values) external {
        _requireSameLength(ids, values);
        for (uint256 i = 0; i < ids.length; i++) {
            _requireKind(ids[i]);
            _balances[msg.sender][ids[i]] += values[i];
        }
        emit TransferBatch(msg.sender, address(0), msg.sender, ids, values);
        _askBatchReceiver(address(0), msg.sender, ids, values, "");
    }

    /// @notice Lets `operator` move all of the caller's lanterns, or takes that right back.
    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    /// @notice Gives `value` lanterns of one kind away.
    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        _requireAllowed(from, to);
        _move(from, to, id, value);
        emit TransferSingle(msg.sender, from, to, id, value);
        _askReceiver(from, to, id, value, data);
    }

    /// @notice Gives lanterns of several kinds away at once.
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external {
        _requireAllowed(from, to);
        _requireSameLength(ids, values);
        for (uint256 i = 0; i < ids.length; i++) _move(from, to, ids[i], values[i]);
        emit TransferBatch(msg.sender, from, to, ids, values);
        _askBatchReceiver(from, to, ids, values, data);
    }

    /// @notice How many lanterns of one kind `owner` has.
    function balanceOf(address owner, uint256 id) external view returns (uint256) {
        return _balances[owner][id];
    }

    /// @notice The balances of several pairs of owner and kind.
    function balanceOfBatch(address[] calldata owners, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory balances)
    {
        if (owners.length != ids.length) revert LengthMismatch(ids.length, owners.length);
        balances = new uint256[](owners.length);
        for (uint256 i = 0; i < owners.length; i++) balances[i] = _balances[owners[i]][ids[i]];
    }

    /// @notice The description of a kind, kept on chain.
    function uri(uint256 id) public pure returns (string memory) {
        return string.concat('data:application/json;utf8,{"name":"Lantern of kind ', Decimal.toString(id), '"}');
    }

    /// @notice ERC-165: the interfaces of ERC-165, ERC-1155 and its metadata.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function _move(address from, address to, uint256 id, uint256 value) private {
        uint256 balance = _balances[from][id];
        if (balance < value) revert NotEnough(from, id, balance, value);
        _balances[from][id] = balance - value;
        _balances[to][id] += value;
    }

    function _askReceiver(address from, address to, uint256 id, uint256 value, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IERC1155Receiver(to).onERC1155Received(msg.sender, from, id, value, data);
        if (answer != IERC1155Receiver.onERC1155Received.selector) revert InvalidRecipient(to);
    }

    function _askBatchReceiver(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes memory data
    ) private {
        if (to.code.length == 0) return;
        bytes4 answer = IERC1155Receiver(to).onERC1155BatchReceived(msg.sender, from, ids, values, data);
        if (answer != IERC1155Receiver.onERC1155BatchReceived.selector) revert InvalidRecipient(to);
    }

    function _requireAllowed(address from, address to) private view {
        if (from != msg.sender && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender, from);
        if (to == address(0)) revert InvalidRecipient(to);
    }

    function _requireKind(uint256 id) private pure {
        if (id == 0 || id > KINDS) revert UnknownKind(id);
    }

    function _requireSameLength(uint256[] calldata ids, uint256[] calldata values) private pure {
        if (ids.length != values.length) revert LengthMismatch(ids.length, values.length);
    }
}
